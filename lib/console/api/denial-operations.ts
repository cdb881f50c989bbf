import { z } from "zod";
import { denialReply } from "../../api/replies.ts";
import { DomainError } from "../../errors.ts";
import { denialBody } from "../../observe/references/denial-body.ts";
import { explainReference } from "../../observe/references/explain-reference.ts";
import { readSlack } from "../../observe/stats/rule-slack.ts";
import { theStatistics } from "../statistics.ts";
import { none } from "./fields.ts";
import { operation } from "./operation.ts";

export const denialOperations = [
  operation({
    ...{ method: "GET", path: "/denials/{reference}", id: "explainDenial", tag: "Explain" },
    ...{ action: "api.read", needs: "read", isForApps: true },
    summary: "Explain a denial by its reference",
    about:
      "Clients get the reference in the header x-sluice-ref, and in the answer. It is read for every denial, whether or not a log has it. A token for one app reads denials of this app.",
    params: z.strictObject({ reference: z.string().max(200).describe("Such as slr-1…") }),
    ...{ query: none, reply: denialReply },
    async run({ token, redis, protectedRanges }, { params: { reference } }) {
      const { scales, series } = theStatistics();
      const denial = await explainReference(
        {
          ...{ redis, scales, protectedRanges },
          readSlack: (rules) => readSlack({ redis, series }, rules),
        },
        reference,
      );
      if (token.app !== undefined && denial.app !== token.app)
        throw new DomainError(
          "not-allowed",
          `This token is for the app ${token.app}: it cannot read of other apps.`,
        );
      return { body: denialBody(denial) };
    },
  }),
];
