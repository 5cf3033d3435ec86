import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}

/** A card with a heading, as the account page is made of. */
export const Section = ({ title, lead, children }: Props) => (
  <Stack component="section" className="card" p="lg" gap="md" aria-label={title}>
    <div>
      <Title order={2} size="h4">
        {title}
      </Title>
      {lead !== undefined && (
        <Text size="sm" className="quiet">
          {lead}
        </Text>
      )}
    </div>
    {children}
  </Stack>
);
