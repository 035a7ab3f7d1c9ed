/**
 * Flags for threads and Node processes of our own: of the process's own those that say how modules are found, since Node
 * refuses others for a thread (`--input-type`, V8's). Without `require` of ES modules piscina loads the entry with
 * `import`: a thread that is ended in the middle of such a `require` takes the whole process down
 * (v8::Module::IsGraphAsync, seen on Node 20.20).
 */
export function threadFlags(execArgv: readonly string[]): string[] {
  const kept = ["--no-experimental-require-module"];
  for (const [index, flag] of execArgv.entries()) {
    if (/^(--conditions|--import|--require)=|^--(enable-source-maps|no-warnings)$/.test(flag)) kept.push(flag);
    else if (/^(--conditions|-C|--import|--require|-r)$/.test(flag)) kept.push(flag, execArgv[index + 1] ?? "");
  }
  return kept;
}
