import { Stack, Text, Title } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { EmptyState } from './empty-state.tsx';
import classes from './page.module.css';
import { Waiting } from './waiting.tsx';
import { WithCode } from './with-code.tsx';

interface Props {
  readonly title: string;
  /** What the page is for, in a sentence or two. */
  readonly lead?: ReactNode;
  readonly action?: ReactNode;
  /** Why the reader may not see what is on it. */
  readonly refusal?: string | undefined;
  readonly children: ReactNode;
}

/** A page with its heading. What somebody may not see is not asked for. */
export const Page = ({ title, lead, action, refusal, children }: Props) => (
  <Stack gap="md">
    <div className={classes.head}>
      <div>
        <Title order={1} size="h2" className={classes.title}>
          {title}
        </Title>
        {lead !== undefined && (
          <Text size="sm" className="quiet" component="div">
            {lead}
          </Text>
        )}
      </div>
      {refusal === undefined && action}
    </div>
    {refusal === undefined ? (
      <Suspense fallback={<Waiting />}>{children}</Suspense>
    ) : (
      <EmptyState title="You may not see this">
        <WithCode text={refusal} />
      </EmptyState>
    )}
  </Stack>
);
