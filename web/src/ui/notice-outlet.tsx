import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';

/** Where notices appear. Those that are sent earlier wait in their store. */
export const NoticeOutlet = () => <Notifications position="bottom-right" limit={3} />;
