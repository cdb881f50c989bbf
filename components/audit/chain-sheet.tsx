import { CircleCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Sheet } from "@/components/ui/sheet.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted, countText, tookText } from "@/components/ui/value-text.ts";
import { type ChainProgress, type ChainVerification, checkChain } from "@/lib/queries/audit.ts";
import { ReadError } from "@/lib/queries/query.ts";

type State =
  | { readonly is: "checking"; readonly progress?: ChainProgress }
  | { readonly is: "done"; readonly report: ChainVerification; readonly tookMs: number }
  | { readonly is: "failed"; readonly message: string };

/** Reads the whole log and shows the records that were changed. */
export function ChainSheet({ onClose }: { onClose: () => void }) {
  const [round, setRound] = useState(0);
  const state = useCheck(round);
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title="Verify the audit log"
      description="Each record is sealed to the one before it with a secret that Redis does not hold. A record that was changed, removed or inserted without the secret is found."
    >
      <div className="flex flex-col gap-3">
        {state.is === "checking" && <Progress progress={state.progress} />}
        {state.is === "done" && <Report report={state.report} tookMs={state.tookMs} />}
        {state.is === "failed" && <Banner tone="blocked" title={state.message} />}
        {state.is !== "checking" && (
          <span>
            <Button onClick={() => setRound(round + 1)}>Check again</Button>
          </span>
        )}
      </div>
    </Sheet>
  );
}

function useCheck(round: number): State {
  const [state, setState] = useState<State>({ is: "checking" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round is another check.
  useEffect(() => {
    const stop = new AbortController();
    const begunAt = performance.now();
    setState({ is: "checking" });
    const tell = (next: State) => !stop.signal.aborted && setState(next);
    checkChain((progress) => tell({ is: "checking", progress }), stop.signal).then(
      (report) => tell({ is: "done", report, tookMs: performance.now() - begunAt }),
      (error: unknown) => tell({ is: "failed", message: messageOf(error) }),
    );
    return () => stop.abort();
  }, [round]);
  return state;
}

function messageOf(error: unknown): string {
  return error instanceof ReadError ? error.message : "The connection was lost before the check finished.";
}

function Progress({ progress }: { progress: ChainProgress | undefined }) {
  const { checked = 0, of = 0, faults = 0 } = progress ?? {};
  // The log grows while it is read.
  const all = Math.max(of, checked);
  const share = all === 0 ? 0 : checked / all;
  return (
    <div className="flex flex-col gap-1.5 text-cell text-text-2">
      <p>{progress ? `Checked ${countText(checked)} of ${counted(all, "record")}` : "Reading the log"}</p>
      <div
        role="progressbar"
        aria-label="Progress of the check"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        className="h-1.5 overflow-hidden rounded-full bg-track"
      >
        <div className="h-full bg-text-2" style={{ width: `${(share * 100).toFixed(1)}%` }} />
      </div>
      {faults > 0 && <p className="text-blocked">{`${counted(faults, "fault")} so far`}</p>}
    </div>
  );
}

function Report({ report, tookMs }: { report: ChainVerification; tookMs: number }) {
  const { records, problems, problemCount } = report;
  const took = `in ${tookText(tookMs)}`;
  if (problemCount === 0) {
    return (
      <Banner tone="pass" icon={<CircleCheck />} title={`The log is intact: ${counted(records, "record")}`}>
        {`No record was changed, removed or inserted. Checked ${took}.`}
      </Banner>
    );
  }
  return (
    <>
      <Banner tone="blocked" title={`${counted(problemCount, "fault")} in ${counted(records, "record")}`}>
        {`Find out who can write to Redis, and compare with a backup or an export. Checked ${took}.`}
      </Banner>
      <ul aria-label="Faults" className="flex list-disc flex-col gap-1 pl-4 text-cell text-text-2">
        {problems.map((problem) => (
          <li key={problem}>
            <Untrusted text={problem} max={300} />
          </li>
        ))}
        {problemCount > problems.length && (
          <li>{`and ${counted(problemCount - problems.length, "more", "more")}`}</li>
        )}
      </ul>
    </>
  );
}
