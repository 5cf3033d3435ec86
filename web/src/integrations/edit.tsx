import { Alert, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { configurationContract } from '../../../src/modules/integrations/configuration/contract.ts';
import { api } from '../api.ts';
import { useRefusal } from '../me.ts';
import { useProjectName } from '../project-name.tsx';
import { invalidate } from '../queries.ts';
import { DeleteConfirm } from '../ui/delete-confirm.tsx';
import { useDraftForm } from '../ui/draft-form.ts';
import { EditConflict } from '../ui/edit-conflict.tsx';
import { useFocusOnFault } from '../ui/faults.ts';
import { plural } from '../ui/format.ts';
import { GuardedButton } from '../ui/guarded.tsx';
import { PageLink } from '../ui/link.tsx';
import { tellDone } from '../ui/notices.tsx';
import { Problem } from '../ui/problem.tsx';
import { SaveBar } from '../ui/save-bar.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { IntegrationFields } from './fields.tsx';
import {
  bodyOf,
  describeChange,
  faultFieldsOf,
  formOf,
  hasSigningSecret,
  missingIn,
} from './form.ts';
import { nameOf } from './integration-name.ts';
import classes from './integrations.module.css';
import { PreviewPanel } from './preview.tsx';
import { useIntegration } from './reads.ts';
import { Signing } from './signing.tsx';
import { type Integration, type Provider, withheldWords } from './words.ts';

const route = getRouteApi('/shell/integrations/edit/$id');

/** The settings of an integration. */
export function EditIntegration() {
  const { id } = route.useParams();
  const { integration, provider } = useIntegration(id);
  return provider ? (
    <EditForm key={id} integration={integration} provider={provider} />
  ) : (
    <Problem
      error={
        new Error(`This version of Burgee doesn't support the ${integration.provider} provider`)
      }
    />
  );
}

interface Props {
  readonly integration: Integration;
  readonly provider: Provider;
}

function EditForm({ integration, provider }: Props) {
  const refusal = useRefusal('UPDATE_ADDON');
  const about = { provider, nameOfProject: useProjectName() };
  const saved = formOf(integration);
  const params = { id: String(integration.id) };
  const draft = useDraftForm({
    saved,
    schema: configurationContract.updateIntegration.body,
    fields: faultFieldsOf(provider),
    bodyOf: (form) => bodyOf(provider.name, form),
    send: (body) => api('PUT /api/admin/addons/:id', { params, body }),
    refreshes: ['GET /api/admin/addons', 'GET /api/admin/addons/:id'],
    onSaved: () =>
      tellDone({
        id: `integration ${integration.id}`,
        title: `Integration ${nameOf(integration, [provider])} saved`,
      }),
  });
  const { values, changed, disputed } = draft;
  const frame = useFocusOnFault<HTMLDivElement>(draft.failure);
  return (
    <>
      <PageLink
        to="/integrations/$id"
        params={params}
        size="sm"
        className={classes.anywhere}
        dir="auto"
      >
        {nameOf(integration, [provider])}
      </PageLink>
      <Title order={1} size="h2" mb="md">
        Settings
      </Title>
      {refusal !== undefined && (
        <Alert color="gray" mb="md">
          <WithCode text={refusal} />
        </Alert>
      )}
      <Withheld integration={integration} isSaving={draft.isPending} onSave={draft.save} />
      <div className={classes.columns} ref={frame}>
        <Stack gap="xl">
          <IntegrationFields
            provider={provider}
            form={values}
            set={draft.set}
            disabled={refusal !== undefined}
            errorAt={draft.errorAt}
          />
          {draft.error && (
            <Alert color="red" role="alert">
              {draft.error.message}
            </Alert>
          )}
          {hasSigningSecret(provider) && <Signing integration={integration} />}
          <Delete integration={integration} provider={provider} />
        </Stack>
        {refusal === undefined && <PreviewPanel provider={provider.name} form={values} />}
      </div>
      <SaveBar
        changes={changed.map((field) => describeChange(about, field, saved, values))}
        onSave={draft.save}
        onDiscard={draft.discard}
        isSaving={draft.isPending}
        problem={missingIn(provider, values)}
      >
        <EditConflict
          theirs={disputed.map((field) => describeChange(about, field, values, saved))}
          isAbout={({ type, data }) =>
            type === 'addon-config-updated' &&
            (data as { id?: unknown } | null)?.id === integration.id
          }
          onTake={() => draft.drop(disputed)}
        />
      </SaveBar>
    </>
  );
}

interface WithheldProps {
  readonly integration: Integration;
  readonly isSaving: boolean;
  /** Saves the integration, also if nothing changed. */
  readonly onSave: () => void;
}

/** Events that match but aren't sent, and how to send them. */
function Withheld({ integration, isSaving, onSave }: WithheldProps) {
  const refusal = useRefusal('UPDATE_ADDON');
  const words = withheldWords(integration);
  if (!words) return null;
  return (
    <Alert color="blue" mb="md" title="Events not sent">
      <List size="sm" mb={4} className={classes.anywhere ?? ''}>
        {words.items.map((item) => (
          <List.Item key={item}>{item}</List.Item>
        ))}
      </List>
      <Text size="sm">{words.why}</Text>
      {integration.withheld?.sentIfSaved && refusal === undefined && (
        <Button variant="default" size="xs" mt="xs" loading={isSaving} onClick={onSave}>
          Save to send what you can see
        </Button>
      )}
    </Alert>
  );
}

function Delete({ integration, provider }: Props) {
  const refusal = useRefusal('DELETE_ADDON');
  const navigate = route.useNavigate();
  const [isAsking, setAsking] = useState(false);
  const { pending } = integration.delivery;
  return (
    <section aria-label="Delete integration" className={classes.part}>
      <Title order={2} size="h4">
        Delete integration
      </Title>
      <Text size="sm">
        To stop sending temporarily, pause the integration instead. Events are queued until you
        resume it.
      </Text>
      <Group>
        <GuardedButton
          variant="light"
          color="red"
          refusal={refusal}
          onClick={() => setAsking(true)}
        >
          Delete integration
        </GuardedButton>
      </Group>
      {isAsking && (
        <DeleteConfirm
          kind="integration"
          name={nameOf(integration, [provider])}
          onClose={() => setAsking(false)}
          onDelete={async () => {
            await api('DELETE /api/admin/addons/:id', { params: { id: String(integration.id) } });
            await navigate({ to: '/integrations' });
            await invalidate('GET /api/admin/addons');
          }}
        >
          This deletes its settings, secrets, and delivery records
          {pending > 0 && ` and discards ${plural(pending, 'pending event')}`}.
        </DeleteConfirm>
      )}
    </section>
  );
}
