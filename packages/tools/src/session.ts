import type { Limits } from "@spillway/limits";
import type { ColumnWalks } from "./column-walks.ts";
import type { Commands } from "./commands.ts";
import type { RegisterStore } from "./edit/registers.ts";
import type { EnvPolicy } from "./env-policy.ts";
import type { SnapshotStore } from "./snapshots.ts";
import type { SpillStore } from "./spill.ts";
import type { Workers } from "./worker/jobs.ts";

export type Access = "read" | "write";

/** Everything that lives as long as one toolbox. Tools get it through `ToolEnv`. */
export interface Session {
  readonly id: string;
  /** The workspace, canonical (no symlinks). */
  readonly root: string;
  readonly dataDir: string;
  /** `<dataDir>/scratch/<id>`, canonical; made when something is first written to it. */
  readonly scratchDir: string;
  readonly limits: Limits;
  readonly secrets: "refuse" | "allow";
  /** Whether the host granted this very path (canonical, absolute) outside both roots. */
  readonly externalPaths: (path: string, access: Access) => Promise<boolean>;
  /** Whether the host lets this very file (canonical, absolute) be read although it holds secrets. */
  readonly secretPaths: (path: string) => Promise<boolean>;
  readonly env: EnvPolicy;
  readonly daemons: "end" | "keep";
  readonly workers: Workers;
  readonly snapshots: SnapshotStore;
  /** Lines that Edit captured under a name. */
  readonly registers: RegisterStore;
  readonly columnWalks: ColumnWalks;
  readonly spill: SpillStore;
  readonly commands: Commands;
}
