import { VisuallyHidden } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import classes from './production-mark.module.css';

interface Props {
  /** The name of the environment, which may say it already. */
  readonly name: string;
  /** Only the icon, with the word for screen readers. */
  readonly isCompact?: boolean;
}

/** Marks an environment of type production by a shape, not by color alone. */
export function ProductionMark({ name, isCompact = false }: Props) {
  const word = name === 'production' ? undefined : 'Production';
  return (
    <span className={classes.mark} title="Production environment">
      <IconShieldLock size={15} aria-hidden />
      {word !== undefined && (isCompact ? <VisuallyHidden>{word}</VisuallyHidden> : word)}
    </span>
  );
}
