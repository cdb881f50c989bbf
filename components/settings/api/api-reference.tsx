import { KeyRound } from "lucide-react";
import { Badge } from "@/components/ui/badge.tsx";
import { Card } from "@/components/ui/card.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { ApiDocument } from "@/lib/console/api/document.ts";
import {
  answerOf,
  callsByTag,
  curlOf,
  fieldsOf,
  proseParts,
  refusalsOf,
  type ShownCall,
  type ShownField,
} from "./api-document.ts";

/** The operations of the API, made of its OpenAPI document. Needs no JavaScript. */
export function ApiReference({ document }: { document: ApiDocument }) {
  const groups = callsByTag(document);
  return (
    <div className="grid items-start gap-3 lg:grid-cols-[272px_minmax(0,1fr)]">
      <nav
        aria-label="Operations"
        className="rounded-card border border-border bg-surface p-3.5 max-lg:hidden lg:sticky lg:top-3 lg:max-h-[calc(100dvh-88px)] lg:overflow-y-auto"
      >
        <Operations groups={groups} />
      </nav>
      <details className="rounded-card border border-border bg-surface px-3.5 lg:hidden">
        <summary className="cursor-pointer py-3 text-body font-semibold">Operations</summary>
        <nav aria-label="Operations" className="pb-3">
          <Operations groups={groups} />
        </nav>
      </details>
      <div className="flex min-w-0 flex-col gap-3">
        {groups.flatMap(({ calls }) => calls.map((call) => <Call key={call.operationId} call={call} />))}
      </div>
    </div>
  );
}

/** Links to the operations, by topic. */
function Operations({ groups }: { groups: ReturnType<typeof callsByTag> }) {
  return (
    <div className="flex flex-col gap-2">
      {groups.map(({ tag, calls }) => (
        <div key={tag}>
          <h2 className="text-meta font-medium text-text-3">{tag}</h2>
          <ul>
            {calls.map(({ operationId, method, path }) => (
              <li key={operationId}>
                <Link
                  href={`#${operationId}`}
                  className="flex min-h-6 items-center gap-2 font-mono text-meta wrap-anywhere hover:underline max-sm:min-h-11"
                >
                  <span className="w-12 shrink-0 text-text-3">{method}</span>
                  {path}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

function Call({ call }: { call: ShownCall }) {
  const { operationId, method, path, summary, description } = call;
  const fields = fieldsOf(call);
  return (
    <div id={operationId} className="scroll-mt-3">
      <Card
        title={
          <span className="font-mono wrap-anywhere">
            {method} {path}
          </span>
        }
        actions={<Scopes call={call} />}
      >
        <div className="grid gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <div className="flex min-w-0 flex-col gap-3">
            <p className="text-body">
              <Prose text={[`${summary}.`, description].filter(Boolean).join(" ")} />
            </p>
            {fields.length > 0 && <Fields fields={fields} />}
            <Refusals call={call} />
          </div>
          <div className="flex min-w-0 flex-col gap-3">
            <Sample title="Request" text={curlOf(call)} />
            <Sample title="Response" text={JSON.stringify(answerOf(call), null, 2)} />
          </div>
        </div>
      </Card>
    </div>
  );
}

function Scopes({ call }: { call: ShownCall }) {
  const scopes = call["x-sluice-scopes"];
  return (
    <>
      {scopes.map((scope) => (
        <Badge key={scope} tone="plain" icon={<KeyRound />}>
          {scope}
        </Badge>
      ))}
      {scopes.length === 0 && <Badge tone="plain">any token</Badge>}
      {call["x-sluice-one-app"] && <Badge tone="plain">also with a token of one app</Badge>}
    </>
  );
}

function Fields({ fields }: { fields: readonly ShownField[] }) {
  return (
    <dl className="flex flex-col divide-y divide-border border-y border-border">
      {fields.map(({ name, place, type, isRequired, says }) => (
        <div
          key={`${place} ${name}`}
          className="grid gap-x-4 py-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
        >
          <dt className="min-w-0">
            <span className="font-mono text-cell font-medium wrap-anywhere">{name}</span>
            <span className="block text-meta text-text-3 wrap-anywhere">
              {type}, {place}
              {isRequired && ", required"}
            </span>
          </dt>
          <dd className="text-cell text-text-2 wrap-anywhere">
            <Prose text={says} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Refusals({ call }: { call: ShownCall }) {
  return (
    <div>
      <h3 className="pb-1 text-cell font-semibold">Errors</h3>
      <dl className="flex flex-col gap-1">
        {refusalsOf(call).map(({ status, says }) => (
          <div key={status} className="flex gap-3 text-cell">
            <dt className="w-10 shrink-0 font-mono font-medium">{status}</dt>
            <dd className="min-w-0 text-text-2">
              <Prose text={says} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Sample({ title, text }: { title: string; text: string }) {
  return (
    <figure className="min-w-0">
      <figcaption className="pb-1 text-cell font-semibold">{title}</figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="max-h-80 overflow-auto rounded-control border border-border bg-sunken px-3 py-2 font-mono text-meta"
      >
        {text}
      </pre>
    </figure>
  );
}

/** Text whose names of fields are between backticks. */
function Prose({ text }: { text: string }) {
  return proseParts(text).map(({ text: part, isCode, at }) =>
    isCode ? (
      <code key={at} className="font-mono">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
