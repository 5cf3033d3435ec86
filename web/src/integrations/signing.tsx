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

/** A secret that is shown this one time. */
export const ShownSecret = ({ secret }: { readonly secret: string }) => (
  <Alert color="yellow" title="Copy the signing secret now: it is not shown again">
    <Copyable text={secret} label="Copy the signing secret" testId="signing-secret" />
  </Alert>
);

/** The secret that signs, how to change it without a gap, and how a receiver verifies it. */
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
    <section id="signature" aria-label="Signature" className={classes.part}>
      <Title order={2} size="h4">
        Signature
      </Title>
      <Text size="sm">
        Every request is signed as{' '}
        <Anchor
          href="https://www.standardwebhooks.com"
          target="_blank"
          rel="noreferrer"
          inherit
          underline="always"
        >
          Standard Webhooks
        </Anchor>{' '}
        define it, so that the receiver knows that it is from here. <Code>webhook-id</Code> stays
        the same when an event is sent again.
      </Text>
      {renew.data && <ShownSecret secret={renew.data.signingSecret} />}
      <Group>
        <GuardedButton
          variant="default"
          refusal={refusal}
          loading={renew.isPending}
          onClick={() => setAsking(true)}
        >
          New signing secret
        </GuardedButton>
        {hasPrevious && (
          <GuardedButton
            variant="default"
            refusal={refusal}
            loading={forget.isPending}
            onClick={() => forget.mutate()}
          >
            Stop signing with the previous one
          </GuardedButton>
        )}
      </Group>
      {hasPrevious && (
        <Text size="sm" className="quiet">
          Two secrets sign at the moment. When all receivers know the new one, stop using the
          previous one.
        </Text>
      )}
      <Snippets snippets={verification} />
      {isAsking && (
        <Confirm
          title="A new signing secret?"
          action="Create it"
          onClose={() => setAsking(false)}
          onConfirm={() => renew.mutateAsync()}
        >
          <Stack gap="xs">
            <Text size="sm">
              It is shown once. The present secret goes on signing beside it until you stop that, so
              no delivery is refused meanwhile.
            </Text>
            {hasPrevious && (
              <Text size="sm">The secret before the present one stops signing at once.</Text>
            )}
          </Stack>
        </Confirm>
      )}
    </section>
  );
}
