import { Badge, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { invalidate, read } from '../queries.ts';
import { tellProblem } from '../ui/notices.tsx';
import { Since } from '../ui/time.tsx';
import classes from './access.module.css';
import { browserName } from './browser-name.ts';
import { Section } from './section.tsx';

const ownSessionsQuery = read('GET /api/admin/user/sessions', {});

const tell = (title: string) => notifications.show({ title, message: '' });
const complain = (error: Error) => tellProblem('sign out', error);

/** Where somebody is signed in, and how to end it. */
export function OwnSessions() {
  const { sessions } = useSuspenseQuery(ownSessionsQuery).data;
  const refresh = () => invalidate('GET /api/admin/user/sessions');
  const end = useMutation({
    mutationFn: (id: string) => api('DELETE /api/admin/user/sessions/:id', { params: { id } }),
    onSuccess: () => tell('The session is ended'),
    onError: complain,
    onSettled: refresh,
  });
  const endOthers = useMutation({
    mutationFn: () => api('DELETE /api/admin/user/sessions', {}),
    onSuccess: () => tell('All other sessions are ended'),
    onError: complain,
    onSettled: refresh,
  });
  return (
    <Section
      title="Where you are signed in"
      lead="End what you do not know, and change your password then."
    >
      <ul className={classes.rows} aria-label="Sessions">
        {sessions.map(({ id, current, userAgent, ip, createdAt, seenAt }) => (
          <li key={id}>
            <div>
              <Group gap="xs">
                <Text fw={600} title={userAgent}>
                  {browserName(userAgent)}
                </Text>
                {current && (
                  <Badge variant="light" tt="none">
                    this browser
                  </Badge>
                )}
              </Group>
              <Text size="sm" className="quiet" component="div">
                {ip ?? 'unknown address'} · signed in <Since instant={createdAt} /> · last used{' '}
                <Since instant={seenAt} />
              </Text>
            </div>
            {!current && (
              <Button
                size="xs"
                variant="default"
                loading={end.isPending && end.variables === id}
                aria-label={`End the session of ${browserName(userAgent)}`}
                onClick={() => end.mutate(id)}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Group>
          <Button
            variant="default"
            loading={endOthers.isPending}
            onClick={() => endOthers.mutate()}
          >
            Sign out everywhere else
          </Button>
        </Group>
      )}
    </Section>
  );
}
