"use client";

import type { ComponentProps, ReactNode } from "react";
import { Card } from "@/components/ui/card.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { PauseButton } from "./pause-button.tsx";
import { ReadState } from "./read-state.tsx";
import { RowsSkeleton } from "./skeletons.tsx";

type StateProps<T> = Omit<ComponentProps<typeof ReadState<T>>, "skeleton" | "isFramed">;

interface LivePageProps<T> extends StateProps<T> {
  title: string;
  /** Shown beside the title once there is data. */
  facts: (data: T) => ReactNode;
  /** Beside the button that pauses the page. */
  actions?: ReactNode;
  /** Shape of the rows that load. */
  rows: ComponentProps<typeof RowsSkeleton>;
}

/** A page of one live read: its head, and every state of the read. */
export function LivePage<T>({ title, facts, actions, rows, ...state }: LivePageProps<T>) {
  const { data } = state.read;
  return (
    <>
      <PageHeader
        title={title}
        facts={data !== undefined && <span>{facts(data)}</span>}
        actions={
          <>
            <PauseButton />
            {actions}
          </>
        }
      />
      <ReadState
        {...state}
        skeleton={
          <Card isFlush>
            <RowsSkeleton {...rows} />
          </Card>
        }
        isFramed
      />
    </>
  );
}
