import { Badge, Button, Group, Text } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { invalidate, read } from '../queries.ts';
import { tellDone, tellProblem } from '../ui/notices.tsx';
import { Since } from '../ui/time.tsx';
import classes from './access.module.css';
import { browserName } from './browser-name.ts';
import { Section } from './section.tsx';

const ownSessionsQuery = read('GET /api/admin/user/sessions', {});

const tell = (title: string) => tellDone({ id: 'sessions', title });
const complain = (error: Error) => tellProblem('sign out', error);

/** The user's sessions, and buttons to end them. */
export function OwnSessions() {
  const { sessions } = useSuspenseQuery(ownSessionsQuery).data;
  const refresh = () => invalidate('GET /api/admin/user/sessions');
  const end = useMutation({
    mutationFn: (id: string) => api('DELETE /api/admin/user/sessions/:id', { params: { id } }),
    onSuccess: () => tell('Session signed out'),
    onError: complain,
    onSettled: refresh,
  });
  const endOthers = useMutation({
    mutationFn: () => api('DELETE /api/admin/user/sessions', {}),
    onSuccess: () => tell('Signed out everywhere else'),
    onError: complain,
    onSettled: refresh,
  });
  return (
    <Section
      title="Sessions"
      lead="Don't recognize a session? Sign it out and change your password."
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
                    Current session
                  </Badge>
                )}
              </Group>
              <Text size="sm" className="quiet" component="div">
                {ip ?? 'Unknown IP address'} · signed in <Since instant={createdAt} /> · last active{' '}
                <Since instant={seenAt} />
              </Text>
            </div>
            {!current && (
              <Button
                size="xs"
                variant="default"
                loading={end.isPending && end.variables === id}
                aria-label={`Sign out ${browserName(userAgent)}`}
                onClick={() => end.mutate(id)}
              >
                Sign out
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
