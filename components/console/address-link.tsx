import { classes } from "@/components/ui/classes.ts";
import { TextLink } from "@/components/ui/link.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { readBlock } from "@/lib/ip/parse.ts";

interface AddressLinkProps {
  /** An address or range. Other text, which another program may have written, is no link. */
  address: string;
  /** Number of shown characters. */
  max?: number | undefined;
  className?: string | undefined;
  /** Within a sentence, where a taller target would part the lines. */
  isInSentence?: boolean;
}

/** An address or range, as a link to its page. */
export function AddressLink({ address, max = 64, className, isInSentence = false }: AddressLinkProps) {
  const text = <Untrusted text={address} max={max} />;
  if (!readBlock(address)) return text;
  return (
    <TextLink
      href={`/clients/${encodeURIComponent(address)}`}
      className={classes(!isInSentence && "inline-block py-1", className)}
    >
      {text}
    </TextLink>
  );
}
