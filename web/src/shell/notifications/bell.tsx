import { ActionIcon } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Suspense } from 'react';
import { numberText } from '../../ui/format.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PopoverButton } from '../../ui/menu-button.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { useAttention } from '../attention.ts';
import classes from './notifications.module.css';

const NotificationList = lazyPart(() => import('./notification-list.tsx'), 'NotificationList');

/** The server counts up to 100. */
const unreadText = (unread: number): string => (unread > 99 ? '99+' : numberText(unread));

/** Opens the notifications about what the user follows, and shows how many are unread. */
export function Bell() {
  const unread = useAttention()?.notifications ?? 0;
  return (
    <PopoverButton
      position="bottom-end"
      width="min(26rem, calc(100vw - 1.5rem))"
      button={
        <ActionIcon
          variant="default"
          size="lg"
          className={classes.bell ?? ''}
          aria-label={
            unread === 0 ? 'Notifications' : `Notifications, ${unreadText(unread)} unread`
          }
        >
          <IconBell size={18} aria-hidden />
          {unread > 0 && (
            <span className={classes.count} aria-hidden>
              {unreadText(unread)}
            </span>
          )}
        </ActionIcon>
      }
    >
      {(close) => (
        <Suspense fallback={<Waiting />}>
          <NotificationList onGo={close} />
        </Suspense>
      )}
    </PopoverButton>
  );
}
