// Thread entry: one export a job, no logic. Piscina calls the export that the pool names; a thread loads the jobs that it
// is given, so the first call of a process does not wait for the others' modules.
import { answer } from "./answer.ts";

type Answered = ReturnType<typeof answer>;

export const listFiles: Answered = answer(async () => (await import("./list-files.ts")).listFilesJob);
export const searchFiles: Answered = answer(async () => (await import("./search-files.ts")).searchFilesJob);
export const showMatches: Answered = answer(async () => (await import("./show-matches.ts")).showMatchesJob);
export const locate: Answered = answer(async () => (await import("./locate.ts")).locateJob);
export const countTokens: Answered = answer(async () => (await import("./count-tokens.ts")).countTokens);
export const readFile: Answered = answer(async () => (await import("./read-file.ts")).readFileJob);
export const writeFile: Answered = answer(async () => (await import("./write-file.ts")).writeFileJob);
export const editFile: Answered = answer(async () => (await import("./edit-file.ts")).editFileJob);
export const cleanPages: Answered = answer(async () => (await import("./clean-pages.ts")).cleanPagesJob);
export const recoverWrites: Answered = answer(async () => (await import("./recover-writes.ts")).recoverWritesJob);
