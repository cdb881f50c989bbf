import type { Command } from "./command.ts";
import { doctor } from "./doctor.ts";
import { explainClient } from "./explain.ts";
import { listAdd } from "./list-add.ts";
import { listExport } from "./list-export.ts";
import { listExtend } from "./list-extend.ts";
import { listImport } from "./list-import.ts";
import { listRemove } from "./list-remove.ts";
import { listShow } from "./list-show.ts";
import { neverBlockAdd } from "./never-block-add.ts";
import { neverBlockList } from "./never-block-list.ts";
import { neverBlockRemove } from "./never-block-remove.ts";
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
  explainClient,
  doctor,
];
