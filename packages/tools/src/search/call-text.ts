/** A call as a notice names it: the tool and its ready arguments. */
export function callText(tool: string, args: Readonly<Record<string, unknown>>): string {
  return `${tool} ${JSON.stringify(args)}`;
}
