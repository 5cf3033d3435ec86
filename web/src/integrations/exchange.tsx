import { Badge, Code, Group, Stack, Text, Title } from '@mantine/core';
import { exactTime } from '../ui/dates.ts';
import classes from './integrations.module.css';
import type { Attempt } from './words.ts';

const words = {
  success: { label: 'Delivered', color: 'green' },
  successWithErrors: { label: 'Partially delivered', color: 'yellow' },
  failed: { label: 'Failed', color: 'red' },
  interrupted: { label: 'Interrupted', color: 'gray' },
} as const;

const Headers = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => (
  <dl className={classes.headers}>
    {Object.entries(headers).map(([name, value]) => (
      <div key={name} style={{ display: 'contents' }}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** A body as text; JSON is indented. */
function bodyText(body: unknown): string {
  if (typeof body !== 'string') return JSON.stringify(body, null, 2);
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

const Body = ({ body }: { readonly body: unknown }) =>
  body === undefined || body === '' ? (
    <Text size="xs" className="quiet">
      No body
    </Text>
  ) : (
    <Code block className={classes.code} tabIndex={0}>
      {bodyText(body)}
    </Code>
  );

interface Props {
  readonly attempt: Attempt;
  /** What was sent: the same in every attempt. */
  readonly message: unknown;
  readonly title: string;
}

/** One attempt: each request beside its response. Secrets are masked by the server. */
export function AttemptView({ attempt, message, title }: Props) {
  const { label, color } = words[attempt.state];
  return (
    <section aria-label={title}>
      <Group gap="xs" mb={4}>
        <Title order={3} size="h6">
          {title}
        </Title>
        <Badge size="sm" variant="light" tt="none" color={color}>
          {label}
        </Badge>
        <Text size="xs" className="quiet tabular">
          {exactTime(attempt.at)}
          {attempt.latencyMs !== undefined && ` · ${Math.round(attempt.latencyMs)} ms`}
        </Text>
      </Group>
      <Text size="sm" mb="xs" className={classes.anywhere}>
        {attempt.stateDetails}
      </Text>
      <Stack gap="md">
        {attempt.exchanges.map(({ request, response, error }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was exchanged never changes
          <div key={index} className={classes.exchange}>
            <Stack gap={6}>
              <Text size="sm" className={classes.anywhere}>
                <b>{request.method}</b> {request.url}
              </Text>
              <Headers headers={request.headers} />
              <Body body={message} />
            </Stack>
            <Stack gap={6}>
              <Text size="sm">
                {response ? (
                  <>
                    Response <b>{response.status}</b>
                  </>
                ) : (
                  'No response'
                )}
              </Text>
              {response ? (
                <>
                  <Headers headers={response.headers} />
                  <Body body={response.body} />
                </>
              ) : (
                <Text size="sm" c="var(--mantine-color-error)" className={classes.anywhere}>
                  {error}
                </Text>
              )}
            </Stack>
          </div>
        ))}
      </Stack>
    </section>
  );
}

/** The message of a record, without what is shown beside it. */
export function messageOf({
  attempts: _,
  url: __,
  body,
  ...rest
}: Readonly<Record<string, unknown>>): unknown {
  return body ?? rest;
}
