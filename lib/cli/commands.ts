import type { Command } from "./command.ts";
import { alarmAdd } from "./commands/alarm-add.ts";
import { alarmAcknowledge, alarmRemove, alarmSwitch, alarmTest } from "./commands/alarm-change.ts";
import { alarmList } from "./commands/alarm-list.ts";
import { attack } from "./commands/attack.ts";
import { besideReport } from "./commands/beside-report.ts";
import { customerLimit } from "./commands/customer-limit.ts";
import { customerList } from "./commands/customer-list.ts";
import { customerReset } from "./commands/customer-reset.ts";
import { customerResume } from "./commands/customer-resume.ts";
import { customerShow } from "./commands/customer-show.ts";
import { customerSuspend } from "./commands/customer-suspend.ts";
import { customerTier } from "./commands/customer-tier.ts";
import { denialRetention } from "./commands/denial-retention.ts";
import { denialLog } from "./commands/denial-search.ts";
import { doctor } from "./commands/doctor.ts";
import { edgeClear } from "./commands/edge-clear.ts";
import { edgeStatus } from "./commands/edge-status.ts";
import { edgeSwitch } from "./commands/edge-switch.ts";
import { explainClient } from "./commands/explain.ts";
import { feedAdd } from "./commands/feed-add.ts";
import { feedDecide, feedRefresh, feedRemove, feedSwitch } from "./commands/feed-change.ts";
import { feedList } from "./commands/feed-list.ts";
import { feedShow } from "./commands/feed-show.ts";
import { importFrom } from "./commands/import-from.ts";
import { linkList } from "./commands/link-list.ts";
import { linkRemove } from "./commands/link-remove.ts";
import { linkSet } from "./commands/link-set.ts";
import { listAdd } from "./commands/list-add.ts";
import { listExport } from "./commands/list-export.ts";
import { listExtend } from "./commands/list-extend.ts";
import { listImport } from "./commands/list-import.ts";
import { listRemove } from "./commands/list-remove.ts";
import { listShow } from "./commands/list-show.ts";
import { listTag } from "./commands/list-tag.ts";
import { mode } from "./commands/mode.ts";
import { neverBlockAdd } from "./commands/never-block-add.ts";
import { neverBlockList } from "./commands/never-block-list.ts";
import { neverBlockRemove } from "./commands/never-block-remove.ts";
import { overrideList, overrideShow } from "./commands/override-list.ts";
import { overrideRemove } from "./commands/override-remove.ts";
import { overrideSet } from "./commands/override-set.ts";
import { policyAdd } from "./commands/policy-add.ts";
import { policyCheck } from "./commands/policy-check.ts";
import { policyDiff } from "./commands/policy-diff.ts";
import { policyLimitSet } from "./commands/policy-limit-set.ts";
import { policyLimits } from "./commands/policy-limits.ts";
import { policyRollback } from "./commands/policy-rollback.ts";
import { policyRuleMode } from "./commands/policy-rule-mode.ts";
import { policySchemaCommand } from "./commands/policy-schema.ts";
import { policySet } from "./commands/policy-set.ts";
import { policyShow } from "./commands/policy-show.ts";
import { policyVersions } from "./commands/policy-versions.ts";
import { referenceKeyRotate } from "./commands/reference-key-rotate.ts";
import { requestAsk } from "./commands/request-ask.ts";
import { requestDecide } from "./commands/request-decide.ts";
import { requestList } from "./commands/request-list.ts";
import { tokenAdd } from "./commands/token-add.ts";
import { tokenList } from "./commands/token-list.ts";
import { tokenRevoke } from "./commands/token-revoke.ts";
import { undoRecord } from "./commands/undo.ts";
import { userAdd } from "./commands/user-add.ts";
import { userList } from "./commands/user-list.ts";
import { userRemove } from "./commands/user-remove.ts";
import { userReset } from "./commands/user-reset.ts";
import { userRole } from "./commands/user-role.ts";
import type { ListWord } from "./list-report.ts";

/** Commands that the API does not serve. */
const onRedis = (...some: readonly Command[]): Command[] =>
  some.map((command) => ({ ...command, needsRedis: true }));

const ofList = (word: ListWord) => [
  ...[listAdd(word), listRemove(word), ...onRedis(listExtend(word)), listTag(word), listShow(word)],
  ...onRedis(listImport(word), listExport(word)),
];

/** Every command, in the order of help. */
export const commands: readonly Command[] = [
  ...ofList("block"),
  ...ofList("safelist"),
  ...onRedis(neverBlockAdd, neverBlockRemove, neverBlockList),
  feedAdd,
  feedList,
  feedShow,
  feedRefresh,
  feedSwitch("enforce"),
  feedSwitch("shadow"),
  feedSwitch("pause"),
  feedSwitch("resume"),
  feedDecide("accept"),
  feedDecide("keep"),
  feedRemove,
  alarmList,
  alarmAdd,
  alarmTest,
  alarmAcknowledge,
  alarmSwitch,
  alarmRemove,
  requestList,
  requestAsk,
  requestDecide("confirm"),
  requestDecide("decline"),
  ...onRedis(undoRecord),
  customerShow,
  customerTier,
  customerLimit,
  customerSuspend,
  customerResume,
  customerReset,
  customerList,
  overrideSet,
  overrideList,
  overrideShow,
  overrideRemove,
  policyShow,
  policySet,
  policyAdd,
  policyCheck,
  policyDiff,
  policySchemaCommand,
  policyVersions,
  ...onRedis(policyLimits, policyLimitSet),
  policyRollback,
  ...onRedis(policyRuleMode("shadow"), policyRuleMode("enforce"), policyRuleMode("off")),
  mode,
  attack,
  ...onRedis(linkSet, linkRemove, linkList),
  ...onRedis(edgeStatus, edgeSwitch("on"), edgeSwitch("off"), edgeClear),
  ...onRedis(userAdd, userRole, userReset, userRemove, userList),
  ...onRedis(tokenAdd, tokenRevoke, tokenList),
  denialLog,
  denialRetention,
  ...onRedis(referenceKeyRotate),
  importFrom("express-rate-limit"),
  importFrom("rate-limiter-flexible"),
  importFrom("upstash"),
  importFrom("rack-attack"),
  ...onRedis(besideReport),
  explainClient,
  ...onRedis(doctor),
];
