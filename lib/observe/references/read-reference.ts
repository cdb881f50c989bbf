import { readReferenceKeys, referenceKeyOf } from "../../enforce/references/keys.ts";
import { keyNumberOf, type ReferenceFacts } from "../../enforce/references/reference.ts";
import { DomainError } from "../../errors.ts";
import type { Connection } from "../../redis/connect.ts";
import { redisNow } from "../../redis/redis-clock.ts";

/** What a reference carries. Throws a DomainError that says why it cannot be read. */
export async function readReference(redis: Connection, text: string): Promise<ReferenceFacts> {
  const number = keyNumberOf(text);
  if (number === undefined)
    throw refused(
      "This is no reference of a denial. One begins with slr- and goes on with about 45 to 70 letters and digits.",
    );
  const [keys, now] = await Promise.all([readReferenceKeys(redis), redisNow(redis)]);
  if (keys.length === 0)
    throw refused(
      "This installation has no key for references. A console makes one when it starts: sluice reference-key rotate makes one, too.",
    );
  const key = keys.find((one) => one.number === number && (one.until === null || one.until > now));
  if (!key)
    throw refused(
      `This reference is of key ${number}, which this installation does not keep any more, or never had. It cannot be read.`,
    );
  const facts = referenceKeyOf(key).read(text);
  if (facts) return facts;
  throw refused(
    "A character of this reference is wrong or missing, or it is from another installation. Copy all of it again.",
  );
}

const refused = (message: string) => new DomainError("bad-input", message, { reference: message });
