import {
  Menu,
  type MenuDropdownProps,
  type MenuProps,
  Popover,
  type PopoverProps,
} from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import {
  cloneElement,
  type ReactElement,
  type ReactNode,
  type Ref,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

interface ButtonProps {
  readonly id?: string;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly onClick?: () => void;
}

interface Common {
  /** Opens and closes it. */
  readonly button: ReactElement<ButtonProps>;
}

interface StandInProps {
  readonly element: HTMLElement | null;
  /** Mantine's ref of the target. */
  readonly ref?: (element: HTMLElement | null) => void;
}

/** Gives Mantine a button that exists before its menu. */
function StandIn({ element, ref }: StandInProps) {
  useLayoutEffect(() => {
    ref?.(element);
    return () => ref?.(null);
  }, [ref, element]);
  return null;
}

/**
 * A button, and what it opens only while that is open: a feature with three environments has a dozen menus, and each
 * is rendered twice by Mantine, which was a tenth of the time until the feature was there.
 */
function useOpening(button: Common['button'], kind: 'menu' | 'dialog') {
  const id = useId();
  const element = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const closeAndFocus = () => {
    setOpen(false);
    element.current?.focus();
  };
  // Mantine only hears Escape inside of what is open. A control that was used may be disabled or gone since, and the
  // focus with it.
  useWindowEvent('keydown', ({ key }) => {
    if (isOpen && key === 'Escape' && document.activeElement === document.body) closeAndFocus();
  });
  return {
    isOpen,
    /** Without moving the focus, for what leads elsewhere. */
    close: () => setOpen(false),
    shown: cloneElement(button, {
      // Mantine names what opens by the button with this id.
      id,
      ref: element,
      onClick: () => setOpen(!isOpen),
      'aria-haspopup': kind,
      'aria-expanded': isOpen,
      ...(isOpen && { 'aria-controls': `${id}-dropdown` }),
    } as ButtonProps),
    floating: {
      id,
      opened: true,
      returnFocus: false,
      onChange: closeAndFocus,
    },
    standIn: <StandIn element={element.current} />,
  };
}

interface MenuButtonProps
  extends Common,
    Pick<MenuProps, 'position' | 'width' | 'closeOnItemClick'> {
  readonly children: ReactNode;
  readonly dropdown?: Pick<MenuDropdownProps, 'maw' | 'mah' | 'style' | 'className'>;
}

export function MenuButton({ button, children, dropdown, ...menu }: MenuButtonProps) {
  const { isOpen, shown, floating, standIn } = useOpening(button, 'menu');
  return (
    <>
      {shown}
      {isOpen && (
        <Menu {...menu} {...floating} transitionProps={{ duration: 0 }}>
          <Menu.Target>{standIn}</Menu.Target>
          <Menu.Dropdown {...dropdown}>{children}</Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

interface PopoverButtonProps extends Common, Pick<PopoverProps, 'position' | 'width'> {
  readonly children: ReactNode | ((close: () => void) => ReactNode);
}

export function PopoverButton({ button, children, ...popover }: PopoverButtonProps) {
  const { isOpen, close, shown, floating, standIn } = useOpening(button, 'dialog');
  return (
    <>
      {shown}
      {isOpen && (
        <Popover withArrow shadow="md" trapFocus {...popover} {...floating}>
          <Popover.Target>{standIn}</Popover.Target>
          <Popover.Dropdown>
            {typeof children === 'function' ? children(close) : children}
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  );
}
