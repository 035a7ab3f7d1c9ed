// What a process holds: memory after a full collection, descriptors, children.
import { readdirSync, readlinkSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { childPids } from "../../test/helpers/call-marks.ts";
import { createCollector } from "./garbage.ts";

/** One look; sizes in bytes, `at` in milliseconds since the first. */
export interface Reading {
  readonly at: number;
  /** Heap, buffers and other memory behind objects. */
  readonly heap: number;
  readonly resident: number;
  /** Files and sockets; what each thread holds to wake another one is not counted. */
  readonly descriptors: number;
  readonly children: number;
}

export interface Gauges {
  readonly readings: Reading[];
  read(): Reading;
  /** How often `read` held up everything else. */
  disturbances(): number;
  /** Of the event loop, without the looks themselves, in milliseconds. */
  delayPercentile(share: number): number;
  /** Forgets the delays so far. */
  resetDelay(): void;
  close(): void;
}

/** The histogram counts the whole time between two of its ticks. */
const RESOLUTION_MS = 10;

export function openGauges(): Gauges {
  const collect = createCollector();
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const begin = performance.now();
  const readings: Reading[] = [];
  let disturbances = 0;
  delay.enable();
  return {
    readings,
    read: () => {
      delay.disable();
      disturbances += 1;
      collect();
      const { heapUsed, external, rss } = process.memoryUsage();
      const reading = {
        at: performance.now() - begin,
        heap: heapUsed + external,
        resident: rss,
        descriptors: openDescriptors(),
        children: childPids().length,
      };
      readings.push(reading);
      disturbances += 1;
      delay.enable();
      return reading;
    },
    disturbances: () => disturbances,
    delayPercentile: (share) => Math.max(0, delay.percentile(share * 100) / 1e6 - RESOLUTION_MS),
    resetDelay: () => delay.reset(),
    close: () => delay.disable(),
  };
}

function openDescriptors(): number {
  return descriptorTargets().filter((target) => !/^(anon_inode|pipe):/.test(target)).length;
}

/** Descriptors that lead to something below the folder. */
export function descriptorsBelow(folder: string): string[] {
  return descriptorTargets().filter((target) => target.startsWith(`${folder}/`));
}

function descriptorTargets(): string[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      // The one that listed them is closed again.
      return [];
    }
  });
}
