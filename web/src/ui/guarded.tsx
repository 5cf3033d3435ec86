import {
  ActionIcon,
  type ActionIconProps,
  Button,
  type ButtonProps,
  Menu,
  type MenuItemProps,
  Switch,
  type SwitchProps,
} from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { Tooltip } from './tooltip.tsx';

interface Common {
  /** Why it is disabled. It can still be focused, so that everyone can read the reason. */
  readonly refusal: string | undefined;
  readonly onClick?: () => void;
  readonly type?: 'button' | 'submit';
}

/** Variants without a background have none when disabled. */
const isBare = (variant: unknown) => variant === 'subtle' || variant === 'transparent';

const behaviour = ({ refusal, onClick }: Common, variant: unknown) =>
  refusal === undefined
    ? { onClick }
    : {
        'data-disabled': true,
        'aria-disabled': true,
        'aria-description': refusal,
        ...(isBare(variant) && { bg: 'transparent' }),
        onClick: (event: MouseEvent) => event.preventDefault(),
      };

/** For a field that may only be read. It looks like it, and the tooltip around it says why. */
export const refusedField = (refusal: string) =>
  ({ readOnly: true, variant: 'filled', 'aria-description': refusal }) as const;

/** A button that says why it is disabled. */
export function GuardedButton({ refusal, onClick, ...props }: Common & ButtonProps) {
  return (
    <Tooltip label={refusal} disabled={refusal === undefined} multiline maw={280}>
      <Button {...props} {...behaviour({ refusal, ...(onClick && { onClick }) }, props.variant)} />
    </Tooltip>
  );
}

interface IconProps extends Common, Omit<ActionIconProps, 'variant' | 'color'> {
  readonly icon: Icon;
  readonly label: string;
}

/** An icon button that says why it is disabled. */
export function GuardedIcon({ icon: Image, refusal, onClick, label, ...props }: IconProps) {
  return (
    <Tooltip label={refusal ?? label} multiline maw={280}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        {...props}
        {...behaviour({ refusal, ...(onClick && { onClick }) }, 'subtle')}
      >
        <Image size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** A menu item that says why it is disabled. The arrow keys reach it, so that the reason can be read. */
export function GuardedItem({ refusal, onClick, ...props }: Common & MenuItemProps) {
  return (
    <Tooltip label={refusal} disabled={refusal === undefined} multiline maw={280} position="left">
      <Menu.Item
        {...props}
        {...(refusal === undefined
          ? { onClick }
          : {
              'aria-disabled': true,
              'aria-description': refusal,
              closeMenuOnClick: false,
              opacity: 0.6,
              onClick: () => {},
            })}
      />
    </Tooltip>
  );
}

interface GuardedSwitchProps extends Omit<SwitchProps, 'disabled' | 'onChange'> {
  readonly refusal: string | undefined;
  readonly onChange: () => void;
}

/** A switch that says why it is disabled. */
export const GuardedSwitch = ({ refusal, onChange, ...props }: GuardedSwitchProps) =>
  refusal === undefined ? (
    <Switch {...props} onChange={onChange} />
  ) : (
    <Tooltip label={refusal} multiline w={260}>
      <Switch
        {...props}
        data-disabled
        aria-disabled
        aria-description={refusal}
        onChange={() => {}}
      />
    </Tooltip>
  );
