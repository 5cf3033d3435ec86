import { IconLink } from '@tabler/icons-react';
import { CopyIcon } from '../ui/copy-button.tsx';

/** The URL of a view, in the log that is open: of the instance, a project or a feature. */
const linkOf = (q: string): string => {
  const url = new URL(window.location.href);
  url.searchParams.delete('event');
  if (q === '') url.searchParams.delete('q');
  else url.searchParams.set('q', q);
  return url.href;
};

interface CopyProps {
  readonly q: string;
  readonly label: string;
  readonly variant: 'default' | 'subtle';
}

export const CopyLink = ({ q, label, variant }: CopyProps) => (
  <CopyIcon text={linkOf(q)} label={label} variant={variant} icon={IconLink} size={30} />
);
