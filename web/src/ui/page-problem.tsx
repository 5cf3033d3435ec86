import { Stack, Text, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { ApiError } from '../api.ts';
import { PageLink } from './link.tsx';
import { missingWords } from './missing-words.ts';
import { Problem } from './problem.tsx';
import { WithCode } from './with-code.tsx';

interface Props {
  readonly status?: number;
  readonly message: string;
}

/** Instead of a page about something that doesn't exist or isn't accessible: no error, but a way back. */
export function MissingPage({ status = 404, message }: Props) {
  const pathname = useLocation({ select: (location) => location.pathname });
  const { title, text, hint, to, label } = missingWords({ status, message }, pathname);
  return (
    <Stack className="card" align="center" p={{ base: 'md', sm: 48 }} gap="xs">
      <Title order={1} size="h3" ta="center">
        {title}
      </Title>
      {text && (
        <Text ta="center" className="long-name">
          <WithCode text={text} />
        </Text>
      )}
      {hint && (
        <Text className="quiet long-name" ta="center">
          {hint}
        </Text>
      )}
      <PageLink to={to}>{label}</PageLink>
    </Stack>
  );
}

/** Instead of a page that couldn't be read. */
export const PageProblem = ({ error }: { readonly error: unknown }) =>
  error instanceof ApiError && (error.status === 404 || error.status === 403) ? (
    <MissingPage status={error.status} message={error.message} />
  ) : (
    <Problem error={error} />
  );
