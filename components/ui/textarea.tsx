"use client";

import type { ComponentProps } from "react";
import { classes } from "./classes.ts";
import { useField } from "./field.tsx";
import { inputLook } from "./input.tsx";

interface TextareaProps extends ComponentProps<"textarea"> {
  isMono?: boolean | undefined;
}

export function Textarea({ isMono = false, className, ...rest }: TextareaProps) {
  const field = useField();
  const isWrong = field.isInvalid ?? false;
  return (
    <textarea
      id={field.id}
      aria-describedby={field.describedBy}
      aria-invalid={isWrong || undefined}
      rows={4}
      {...rest}
      className={classes(
        inputLook({ isInvalid: isWrong, isMono }),
        "px-2.5 py-1.5 leading-[18px]",
        className,
      )}
    />
  );
}
