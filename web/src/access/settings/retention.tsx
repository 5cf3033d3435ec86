import { Alert, NumberInput, Radio, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { contract } from '../../../../src/modules/access/settings/contract.ts';
import { api } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { read } from '../../queries.ts';
import { useDraftForm } from '../../ui/draft-form.ts';
import { plural } from '../../ui/format.ts';
import { PageLink } from '../../ui/link.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import classes from '../admin.module.css';

/** How long the log is kept. */
export function Retention() {
  const refusal = useRefusal('ADMIN');
  return (
    <Page
      title="Retention"
      lead="How long events stay in the log. What is removed does not come back. The removal is recorded, so the rest can still be verified."
      refusal={refusal}
    >
      <Period />
    </Page>
  );
}

const usualDays = 730;

function Period() {
  const { eventDays, setBy } = useSuspenseQuery(read('GET /api/admin/settings/retention', {})).data;
  const draft = useDraftForm({
    saved: { eventDays },
    schema: contract.setRetention.body,
    bodyOf: (form) => form,
    send: (body) => api('PUT /api/admin/settings/retention', { body }),
    refreshes: ['GET /api/admin/settings/retention'],
    onSaved: (kept) =>
      tellDone({
        id: 'retention',
        title:
          kept.eventDays === null
            ? 'Event retention set to forever'
            : `Event retention set to ${plural(kept.eventDays, 'day')}`,
      }),
  });
  const { values, changed, set } = draft;
  const isFixed = setBy === 'environment';
  const isShorter =
    values.eventDays !== null && (eventDays === null || values.eventDays < eventDays);
  return (
    <>
      {isFixed && (
        <Alert color="gray" title="The operator decides">
          EVENT_RETENTION_DAYS is set for this installation, and wins over the setting here.
        </Alert>
      )}
      <Stack className={`card ${classes.form}`} p="lg">
        <Radio.Group
          label="Events are kept"
          value={values.eventDays === null ? 'forever' : 'days'}
          onChange={(value) => set('eventDays', value === 'forever' ? null : usualDays)}
        >
          <Stack gap="xs" mt={6}>
            <Radio value="forever" label="Forever" disabled={isFixed} />
            <Radio value="days" label="For some time" disabled={isFixed} />
          </Stack>
        </Radio.Group>
        {values.eventDays !== null && (
          <NumberInput
            label="Days"
            w={160}
            min={1}
            max={100_000}
            allowDecimal={false}
            disabled={isFixed}
            value={values.eventDays}
            error={draft.errorAt('eventDays')}
            onChange={(value) => {
              if (typeof value === 'number') set('eventDays', value);
            }}
          />
        )}
        {changed.length > 0 && isShorter && (
          <Alert color="yellow" role="status">
            Events that are older are removed within the hour, for good.{' '}
            <PageLink to="/admin/instance" size="sm">
              Download a checkpoint first
            </PageLink>
            .
          </Alert>
        )}
        {draft.error && (
          <Alert color="red" role="alert">
            {draft.error.message}
          </Alert>
        )}
        <Text size="sm" className="quiet">
          Features, projects and people stay whatever you choose. Only what happened to them is
          forgotten.
        </Text>
      </Stack>
      <SaveBar
        changes={
          changed.length === 0
            ? []
            : [
                values.eventDays === null
                  ? 'events are kept forever'
                  : `events are kept for ${plural(values.eventDays, 'day')}`,
              ]
        }
        isSaving={draft.isPending}
        onSave={draft.save}
        onDiscard={draft.discard}
      />
    </>
  );
}
