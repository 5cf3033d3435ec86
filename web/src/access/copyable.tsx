import { ActionIcon, Code, CopyButton, Group } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Tooltip } from '../ui/tooltip.tsx';
import classes from './admin.module.css';

export const Copy = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? 'Copied' : label}>
        <ActionIcon variant="default" aria-label={label} onClick={copy}>
          {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        </ActionIcon>
      </Tooltip>
    )}
  </CopyButton>
);

interface Props {
  readonly text: string;
  /** What the button says, such as "Copy the link". */
  readonly label: string;
  readonly testId?: string;
}

/** A text that somebody takes elsewhere: a secret, or a link. */
export const Copyable = ({ text, label, testId }: Props) => (
  <Group gap="xs" wrap="nowrap">
    <Code className={classes.secret} data-testid={testId}>
      {text}
    </Code>
    <Copy text={text} label={label} />
  </Group>
);
