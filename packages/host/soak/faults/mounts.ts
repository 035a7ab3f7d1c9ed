import { execFile } from "node:child_process";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Unavailable } from "./stage.ts";

const run = promisify(execFile);

/** Mounts a file system of this size in memory. @throws Unavailable without the right to. */
export async function mountMemory(path: string, bytes: number): Promise<void> {
  await mount(["-t", "tmpfs", "-o", `size=${bytes},mode=700`, "tmpfs", path]);
}

/** From now on nothing below the path can be changed by way of it; files that are open stay as they are. */
export async function mountReadOnly(path: string): Promise<void> {
  await mount(["--bind", path, path]);
  try {
    await mount(["-o", "remount,bind,ro", path]);
  } catch (error) {
    await unmount(path);
    throw error;
  }
}

/** Lazily: whoever still has a file open there keeps it. */
export async function unmount(path: string): Promise<void> {
  await run("umount", ["--lazy", path]).catch(() => undefined);
}

async function mount(args: readonly string[]): Promise<void> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) throw new Unavailable("only root on Linux can mount");
  try {
    await run("mount", [...args]);
  } catch (error) {
    throw new Unavailable(`mount is refused here (${error instanceof Error ? error.message.trim() : String(error)})`);
  }
}

/** Fills the file system that holds the folder to its last byte; the returned function gives the space back. */
export async function fillDisk(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, "filler");
  const file = await open(path, "w");
  try {
    for (let bytes = 1 << 20; bytes >= 1; bytes >>= 1) {
      const block = Buffer.alloc(bytes, "x");
      // What is written in part still fills the disk.
      for (let full = false; !full; )
        full = await file.write(block).then(
          ({ bytesWritten }) => bytesWritten < bytes,
          () => true,
        );
    }
  } finally {
    await file.close();
  }
  return () => rm(path, { force: true });
}
