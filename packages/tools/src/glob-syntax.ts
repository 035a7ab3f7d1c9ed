/** Whether any character of the pattern may mean something else than itself. */
export function hasGlobSyntax(pattern: string): boolean {
  return /[\\*?[\]{}()!+@|]/.test(pattern);
}
