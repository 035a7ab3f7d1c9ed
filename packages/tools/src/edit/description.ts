import type { Limits } from "@spillway/limits";

/** What a model is told of the edit language (spec 3.8). */
export function editDescription({ editMaxOps, editOpsMaxBytes }: Limits): string {
  return `Changes lines of one file by their numbers; you send only the new lines.
"path" and "tag" come from the "[path#TAG]" header of Read, Grep, Write or Edit. Line numbers in "ops" are those of that version; earlier ops of the same call do not shift them. Every line that an op replaces, deletes or stands next to must have been shown to you in full.

| op | body | effect |
|---|---|---|
| PUT N.=M: | yes | replace lines N to M (one line: PUT 5.=5:) |
| PUT N*: | yes | replace the whole block that opens at line N (function, class, element, table, heading …) |
| PUT <N: | yes | insert before line N |
| PUT >N: | yes | insert after line N |
| PUT >$: | yes | append at the end of the file |
| PUT >N*: | yes | insert after the block that opens at line N |
| CUT N.=M or CUT N* | no | delete the lines; they can be pasted in the same call, or later under a name: CUT 3.=9 @name |
| PUT <N, PUT >N, PUT >$ (no colon) | no | paste what this call cut |
| PUT <N @name, PUT >N @name, PUT >$ @name, PUT N.=M @name, PUT N* @name | no | paste a named register into the gap, or over the lines |
| REM | no | delete the file; alone in its call |
| MV new/path.txt | no | rename the file, after all other ops |

Body: each line of new text is a row "+" and then the text exactly as it is to be, with its indentation; a bare "+" is an empty line. Nothing else: no "-" rows, no context rows.

Example: replace line 3, delete lines 7 to 9, insert after line 12
PUT 3.=3:
+const limit = 20;
CUT 7.=9
PUT >12:
+
+export { limit };

What goes wrong:
- An empty PUT to delete: use CUT.
- A range sized to the new text: N.=M names the old lines that go, however many new ones come.
- Repeating unchanged lines around the change: they are inserted twice.
- A PUT over a neighbouring line just to insert: use PUT <N: or PUT >N:.
- A body under CUT or under a paste.
- Two ops at the same lines or the same gap: make one op of them.

At most ${editMaxOps} ops and ${editOpsMaxBytes} bytes a call. The result gives the new tag for the next Edit and where each op's lines are now; do not Read the file back.`;
}
