import type { z } from "zod";
import { problemsOf, refusal } from "../../enforce/policy/bounds.ts";
import type { ListContext } from "../../manage/lists/change-entries.ts";
import type { TokenScope } from "../../manage/tokens/scopes.ts";
import type { ApiToken } from "../../manage/tokens/token.ts";
import type { Console } from "../console.ts";

export type Method = "GET" | "PUT" | "POST" | "DELETE";

/** What every verb takes, and the token that asks. */
export interface ApiContext extends ListContext {
  readonly console: Console;
  readonly token: ApiToken;
  /** Version in If-Match. Undefined for none, and for `*`. */
  readonly ifMatch: string | undefined;
  readonly isDryRun: boolean;
}

/** What a request gives, not yet parsed. */
export interface GivenRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface ApiAnswer {
  readonly body: unknown;
  /** 200 unless given. */
  readonly status?: 200 | 201;
  /** Version of what the body shows. */
  readonly version?: string;
  /** Members of the body that only the first answer has: what is stored for an idempotency key is without them. */
  readonly shownOnce?: Readonly<Record<string, unknown>>;
}

/** A request that has been parsed. */
interface ParsedRequest {
  /** The scope that it takes. Undefined: every token may. */
  readonly needs: TokenScope | undefined;
  run(ctx: ApiContext): Promise<ApiAnswer>;
}

/** One operation of the API. The routes, the parsing and the OpenAPI document are made of it. */
export interface Operation {
  readonly method: Method;
  /** Such as `/policy/versions/{version}`. */
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  /** More sentences, for the document. */
  readonly about: string;
  /** As the audit log names a refusal. */
  readonly action: string;
  /** The least scope that any input needs, asked before the input is read, and others that some inputs need. */
  readonly scopes: readonly TokenScope[];
  /** Writes have a dry run, an idempotency key and an audit record. */
  readonly isWrite: boolean;
  /** Whether If-Match must say which version the change is made from. Undefined: there are no versions. */
  readonly ifMatch: "required" | "optional" | undefined;
  /** Whether tokens for one app may use it. */
  readonly isForApps: boolean;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body: z.ZodType | undefined;
  readonly reply: z.core.$ZodType;
  /** Other statuses than those of every operation, and what they mean. */
  readonly refusals: Readonly<Record<number, string>>;
  parse(given: GivenRequest): ParsedRequest;
}

type OperationFacts = Pick<Operation, "method" | "path" | "id" | "tag" | "summary" | "action">;
type FurtherFacts = Partial<Pick<Operation, "about" | "isWrite" | "ifMatch" | "isForApps" | "refusals">>;

interface OperationDefinition<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodType,
  R extends z.core.$ZodType,
> extends OperationFacts,
    FurtherFacts {
  /** One for all inputs, or the least and what an input needs. Undefined: every token may. */
  readonly needs:
    | TokenScope
    | {
        readonly least: TokenScope;
        readonly also: readonly TokenScope[];
        readonly of: (input: Input<P, Q, B>) => TokenScope;
      }
    | undefined;
  readonly params: P;
  readonly query: Q;
  readonly body?: B;
  readonly reply: R;
  run(ctx: ApiContext, input: Input<P, Q, B>): Promise<OperationAnswer<R>>;
}

interface Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
}

interface OperationAnswer<R extends z.core.$ZodType> extends ApiAnswer {
  readonly body: z.core.input<R>;
}

/** Defines an operation. */
export function operation<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  R extends z.core.$ZodType,
  B extends z.ZodType = z.ZodUndefined,
>(definition: OperationDefinition<P, Q, B, R>): Operation {
  const { needs, params, query, body, reply, run, ...facts } = definition;
  const scopes =
    typeof needs === "object" ? [needs.least, ...needs.also] : needs === undefined ? [] : [needs];
  return {
    ...{ about: "", isWrite: false, ifMatch: undefined, isForApps: false, refusals: {} },
    ...facts,
    ...{ scopes, params, query, body, reply },
    parse(given) {
      const input: Input<P, Q, B> = {
        params: parsed(params, given.params, "path"),
        query: parsed(query, given.query, "query"),
        // Without a schema nothing is read.
        body: body === undefined ? (undefined as z.output<B>) : parsed(body, given.body, "body"),
      };
      return {
        needs: typeof needs === "object" ? needs.of(input) : needs,
        run: (ctx) => run(ctx, input),
      };
    },
  };
}

function parsed<S extends z.ZodType>(schema: S, given: unknown, place: string): z.output<S> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw refusal("The request was not understood", problemsOf(result.error, place));
}
