import type { Command } from "./command.ts";
import { customerLimit } from "./customer-limit.ts";
import { customerList } from "./customer-list.ts";
import { customerReset } from "./customer-reset.ts";
import { customerShow } from "./customer-show.ts";
import { customerTier } from "./customer-tier.ts";
import { doctor } from "./doctor.ts";
import { edgeClear } from "./edge-clear.ts";
import { edgeStatus } from "./edge-status.ts";
import { edgeSwitch } from "./edge-switch.ts";
import { explainClient } from "./explain.ts";
import { listAdd } from "./list-add.ts";
import { listExport } from "./list-export.ts";
import { listExtend } from "./list-extend.ts";
import { listImport } from "./list-import.ts";
import { listRemove } from "./list-remove.ts";
import { listShow } from "./list-show.ts";
import { mode } from "./mode.ts";
import { neverBlockAdd } from "./never-block-add.ts";
import { neverBlockList } from "./never-block-list.ts";
import { neverBlockRemove } from "./never-block-remove.ts";
import { policyRollback } from "./policy-rollback.ts";
import { policyRuleMode } from "./policy-rule-mode.ts";
import { policySet } from "./policy-set.ts";
import { policyShow } from "./policy-show.ts";
import { policyVersions } from "./policy-versions.ts";
import { userAdd } from "./user-add.ts";
import { userList } from "./user-list.ts";
import { userRemove } from "./user-remove.ts";
import { userReset } from "./user-reset.ts";
import { userRole } from "./user-role.ts";
import type { ListWord } from "./words.ts";

const onLists = [listAdd, listRemove, listExtend, listShow, listImport, listExport];

const ofList = (word: ListWord) => onLists.map((make) => make(word));

/** Every command, in the order in which help shows them. */
export const commands: readonly Command[] = [
  ...ofList("block"),
  ...ofList("safelist"),
  neverBlockAdd,
  neverBlockRemove,
  neverBlockList,
  customerShow,
  customerTier,
  customerLimit,
  customerReset,
  customerList,
  policyShow,
  policySet,
  policyVersions,
  policyRollback,
  policyRuleMode("shadow"),
  policyRuleMode("enforce"),
  policyRuleMode("off"),
  mode,
  edgeStatus,
  edgeSwitch("on"),
  edgeSwitch("off"),
  edgeClear,
  userAdd,
  userRole,
  userReset,
  userRemove,
  userList,
  explainClient,
  doctor,
];
