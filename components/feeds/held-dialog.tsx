"use client";

import { useQuery } from "@tanstack/react-query";
import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Spinner } from "@/components/ui/spinner.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { decideFeed } from "@/lib/console/actions/feeds.ts";
import { type FeedRow, type HeldFeed, heldFeed } from "@/lib/queries/feeds.ts";
import { LastHour, Named } from "./feed-preview.tsx";
import { sayHeld } from "./feed-words.ts";
import { useFeedChange } from "./use-feed-change.ts";

interface HeldDialogProps {
  readonly feed: FeedRow;
  readonly held: NonNullable<FeedRow["held"]>;
  readonly mayChange: boolean;
  readonly onClose: () => void;
}

/** What new contents would change, and the decision about them. */
export function HeldDialog({ feed, held, mayChange, onClose }: HeldDialogProps) {
  const { id, name, list, contents } = feed;
  const { digest, ranges } = held.contents;
  const { change, isBusy, failure } = useFeedChange(onClose);
  const read = useQuery({ ...heldFeed({ id, digest }), retry: false });
  const decide = (accept: boolean) => () =>
    void change(
      accept ? `${name}: ${countText(ranges)} ranges are in force` : `${name} keeps its ranges`,
      () => decideFeed({ id, digest, accept }),
    );
  const does = list === "safelist" ? "New ranges would have safelisted" : "New ranges would have denied";
  return (
    <Dialog
      isOpen
      onClose={onClose}
      width={640}
      title={`New contents of ${name}`}
      description={`${sayHeld(feed)}.`}
      footer={
        mayChange && (
          <>
            {failure && (
              <p role="alert" className="mr-auto min-w-0 flex-1 text-cell text-blocked">
                {failure.message}
              </p>
            )}
            <Button size="lg" isBusy={isBusy} onClick={decide(false)}>
              Keep {countText(contents?.ranges ?? 0)}
            </Button>
            <Button
              variant="primary"
              size="lg"
              isBusy={isBusy}
              disabled={read.isPending}
              onClick={decide(true)}
            >
              Accept {countText(ranges)} ranges
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-4 text-cell" aria-busy={read.isFetching}>
        {read.isPending && <Spinner label="Comparing the contents" />}
        {read.error && (
          <p role="alert" className="text-blocked">
            <Untrusted text={read.error.message} max={300} />
          </p>
        )}
        {read.data && (
          <>
            <ul>
              <LastHour lastHour={read.data.lastHour} does={does} />
            </ul>
            <Difference name="Added" of={read.data.added} />
            <Difference name="Removed" of={read.data.removed} />
          </>
        )}
      </div>
    </Dialog>
  );
}

function Difference({ name, of: { count, examples, widest } }: { name: string; of: HeldFeed["added"] }) {
  return (
    <section aria-label={name}>
      <h3 className="font-semibold">
        {name}: {countText(count)}
      </h3>
      {count > 0 && (
        <dl className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-3 gap-y-1 pt-1">
          <dt className="text-text-3">Widest</dt>
          <dd>
            <Named names={widest} />
          </dd>
          <dt className="text-text-3">First</dt>
          <dd>
            <Named names={examples} />
          </dd>
        </dl>
      )}
    </section>
  );
}
