// Thread entry: one export a job, no logic. Piscina calls the export that the pool names.
import { answer } from "./answer.ts";
import { cleanPagesJob } from "./clean-pages.ts";
import { countTokens as countTokensJob } from "./count-tokens.ts";
import { editFileJob } from "./edit-file.ts";
import { listFilesJob } from "./list-files.ts";
import { locateJob } from "./locate.ts";
import { readFileJob } from "./read-file.ts";
import { recoverWritesJob } from "./recover-writes.ts";
import { searchFilesJob } from "./search-files.ts";
import { showMatchesJob } from "./show-matches.ts";
import { writeFileJob } from "./write-file.ts";

type Answered = ReturnType<typeof answer>;

export const listFiles: Answered = answer(listFilesJob);
export const searchFiles: Answered = answer(searchFilesJob);
export const showMatches: Answered = answer(showMatchesJob);
export const locate: Answered = answer(locateJob);
export const countTokens: Answered = answer(countTokensJob);
export const readFile: Answered = answer(readFileJob);
export const writeFile: Answered = answer(writeFileJob);
export const editFile: Answered = answer(editFileJob);
export const cleanPages: Answered = answer(cleanPagesJob);
export const recoverWrites: Answered = answer(recoverWritesJob);
