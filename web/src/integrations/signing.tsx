import { Alert, Anchor, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { useRefusal } from '../me.ts';
import { invalidate } from '../queries.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Copyable, Snippets } from '../ui/copyable.tsx';
import { GuardedButton } from '../ui/guarded.tsx';
import { tellDone, tellProblem } from '../ui/notices.tsx';
import { bodyOf, formOf } from './form.ts';
import classes from './integrations.module.css';
import { verification } from './verify.ts';
import type { Integration } from './words.ts';

/** A secret that is shown only once. */
export const ShownSecret = ({ secret }: { readonly secret: string }) => (
  <Alert color="yellow" title="Copy your signing secret now. You won't be able to see it again.">
    <Copyable text={secret} label="Copy signing secret" testId="signing-secret" />
  </Alert>
);

/** Rotates the signing secret, and shows how to verify signatures. */
export function Signing({ integration }: { readonly integration: Integration }) {
  const refusal = useRefusal('UPDATE_ADDON');
  const [isAsking, setAsking] = useState(false);
  const params = { id: String(integration.id) };
  const hasPrevious = 'previousSigningSecret' in integration.parameters;
  const renew = useMutation({
    mutationFn: () => api('POST /api/admin/addons/:id/signing-secret', { params }),
    onSuccess: () => invalidate('GET /api/admin/addons', 'GET /api/admin/addons/:id'),
  });
  const forget = useMutation({
    mutationFn: () => {
      const body = bodyOf(integration.provider, formOf(integration));
      return api('PUT /api/admin/addons/:id', {
        params,
        body: { ...body, parameters: { ...body.parameters, previousSigningSecret: '' } },
      });
    },
    onSuccess: async () => {
      await invalidate('GET /api/admin/addons', 'GET /api/admin/addons/:id');
      tellDone({ id: 'signing', title: 'Previous secret removed' });
    },
    onError: (error) => tellProblem('remove the previous secret', error),
  });
  return (
    <section id="signature" aria-label="Request signing" className={classes.part}>
      <Title order={2} size="h4">
        Request signing
      </Title>
      <Text size="sm">
        Requests are signed per the{' '}
        <Anchor
          href="https://www.standardwebhooks.com"
          target="_blank"
          rel="noreferrer"
          inherit
          underline="always"
        >
          Standard Webhooks
        </Anchor>{' '}
        spec, so your endpoint can verify that they come from Burgee. Retries keep the same{' '}
        <Code>webhook-id</Code>.
      </Text>
      {renew.data && <ShownSecret secret={renew.data.signingSecret} />}
      <Group>
        <GuardedButton
          variant="default"
          refusal={refusal}
          loading={renew.isPending}
          onClick={() => setAsking(true)}
        >
          Rotate secret
        </GuardedButton>
        {hasPrevious && (
          <GuardedButton
            variant="default"
            refusal={refusal}
            loading={forget.isPending}
            onClick={() => forget.mutate()}
          >
            Remove previous secret
          </GuardedButton>
        )}
      </Group>
      {hasPrevious && (
        <Text size="sm" className="quiet">
          Requests are currently signed with both secrets. Remove the previous one when all
          endpoints use the new one.
        </Text>
      )}
      <Snippets snippets={verification} />
      {isAsking && (
        <Confirm
          title="Rotate signing secret?"
          action="Rotate secret"
          onClose={() => setAsking(false)}
          onConfirm={() => renew.mutateAsync()}
        >
          <Stack gap="xs">
            <Text size="sm">
              The new secret is shown once. Requests are signed with both secrets until you remove
              the old one, so no delivery is rejected.
            </Text>
            {hasPrevious && (
              <Text size="sm">The existing previous secret stops working immediately.</Text>
            )}
          </Stack>
        </Confirm>
      )}
    </section>
  );
}
