import { ActionIcon } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Suspense } from 'react';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PopoverButton } from '../../ui/menu-button.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { cappedText, useAttention } from '../attention.ts';
import classes from './notifications.module.css';

const NotificationList = lazyPart(() => import('./notification-list.tsx'), 'NotificationList');

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
            unread === 0 ? 'Notifications' : `Notifications, ${cappedText(unread)} unread`
          }
        >
          <IconBell size={18} aria-hidden />
          {unread > 0 && (
            <span className={classes.count} aria-hidden>
              {cappedText(unread)}
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
