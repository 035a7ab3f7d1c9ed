import type { Fault } from "./stage.ts";

const HOUR_MS = 3_600_000;

/** The time of day jumps; nothing may wait for it or sort by it. */
export const clockSetBack: Fault = {
  name: "clock set back by an hour",
  prepare: async () => {
    const RealDate = Date;
    const restore = (): void => {
      globalThis.Date = RealDate;
    };
    return {
      inject: async () => {
        globalThis.Date = shiftedDate(RealDate, -HOUR_MS);
      },
      heal: async () => restore(),
      dispose: async () => restore(),
    };
  },
};

function shiftedDate(RealDate: DateConstructor, shiftMs: number): DateConstructor {
  return new Proxy(RealDate, {
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [target.now() + shiftMs] : args, newTarget),
    get: (target, key, receiver) => (key === "now" ? () => target.now() + shiftMs : Reflect.get(target, key, receiver)),
  });
}
