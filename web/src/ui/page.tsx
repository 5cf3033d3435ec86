import { Stack, Text, Title } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { EmptyState } from './empty-state.tsx';
import classes from './page.module.css';
import { Waiting } from './waiting.tsx';
import { WithCode } from './with-code.tsx';

interface Props {
  readonly title: string;
  /** One or two sentences about the page. */
  readonly lead?: ReactNode;
  readonly action?: ReactNode;
  /** Why the user has no access. */
  readonly refusal?: string | undefined;
  readonly children: ReactNode;
}

/** A page with its heading. Without the permission, nothing is requested. */
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
      <EmptyState title="You don't have access to this page">
        <WithCode text={refusal} />
      </EmptyState>
    )}
  </Stack>
);
