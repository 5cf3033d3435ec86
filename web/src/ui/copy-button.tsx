import { ActionIcon, type ActionIconProps, type ButtonProps, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { type Icon, IconCheck, IconCopy } from '@tabler/icons-react';
import { GuardedButton } from './guarded.tsx';
import { Tooltip } from './tooltip.tsx';

/** For screen readers: nothing else on the page changes. */
const Announcement = ({ copied }: { readonly copied: boolean }) => (
  <VisuallyHidden aria-live="polite">{copied ? 'Copied' : ''}</VisuallyHidden>
);

interface Common {
  readonly text: string;
  /** What the button says: "Copy link". */
  readonly label?: string;
  readonly icon?: Icon;
}

interface CopyButtonProps extends Common, Pick<ButtonProps, 'size' | 'w'> {
  /** Why it can't be copied. */
  readonly refusal?: string | undefined;
}

/** Copies a text, and says so for two seconds. */
export function CopyButton({ text, label = 'Copy', icon: Image, ...props }: CopyButtonProps) {
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  const { size = 'xs', w, refusal } = props;
  return (
    <>
      <GuardedButton
        variant="default"
        size={size}
        {...(w !== undefined && { w })}
        leftSection={Image && <Image size={14} aria-hidden />}
        refusal={refusal}
        onClick={() => copy(text)}
      >
        {copied ? 'Copied' : label}
      </GuardedButton>
      <Announcement copied={copied} />
    </>
  );
}

interface CopyIconProps extends Common, Pick<ActionIconProps, 'size'> {
  readonly label: string;
  readonly variant?: 'default' | 'subtle';
}

/** The same as an icon. */
export function CopyIcon({ text, label, icon: Image = IconCopy, ...props }: CopyIconProps) {
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  const { variant = 'default', size } = props;
  const Shown = copied ? IconCheck : Image;
  return (
    <>
      <Tooltip label={copied ? 'Copied' : label}>
        <ActionIcon
          variant={variant}
          {...(variant === 'subtle' && { color: 'gray' })}
          {...(size !== undefined && { size })}
          aria-label={label}
          onClick={() => copy(text)}
        >
          <Shown size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Announcement copied={copied} />
    </>
  );
}
