import { Badge, NumberInput, Switch, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { featureTypeContract } from '../../../../src/modules/flags/features/feature-types/contract.ts';
import { api, type Response } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { notFound, plural } from '../../ui/format.ts';
import { GuardedIcon } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { List, Row } from '../../ui/list.tsx';
import { listSearch } from '../../ui/list-search.ts';
import { MissingDialog } from '../../ui/missing-dialog.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { useSaveForm } from '../../ui/save-form.ts';

const route = getRouteApi('/shell/configure/feature-toggle-type');

type FeatureType = Response<'GET /api/admin/feature-types'>['types'][number];

/** The five types with their expected lifetimes. */
export function FeatureTypes() {
  const navigate = route.useNavigate();
  const { query = '' } = route.useSearch();
  const { types } = useSuspenseQuery(read('GET /api/admin/feature-types', {})).data;
  const refusal = useRefusal('ADMIN');
  return (
    <Page
      title="Feature types"
      lead="A feature's type sets its expected lifetime. Features past it become potentially stale and lower their project's health."
    >
      <List
        what="feature types"
        items={types}
        textOf={({ name, description }) => `${name} ${description}`}
        query={query}
        onQuery={(text) => void navigate({ search: listSearch(text), replace: true })}
        empty={undefined}
      >
        {(type) => (
          <Row
            key={type.id}
            name={type.name}
            badges={
              <Badge
                size="sm"
                variant="light"
                color={type.lifetimeDays === null ? 'gray' : 'teal'}
                tt="none"
              >
                {type.lifetimeDays === null ? 'Permanent' : plural(type.lifetimeDays, 'day')}
              </Badge>
            }
            note={type.description}
            actions={
              <GuardedIcon
                icon={IconPencil}
                refusal={refusal}
                label={`Edit lifetime of ${type.name}`}
                onClick={() =>
                  void navigate({
                    to: '/feature-toggle-type/edit/$id',
                    params: { id: type.id },
                    search: true,
                  })
                }
              />
            }
          >
            <PageLink to="/search" search={{ type: type.id }} size="xs">
              {plural(type.usedInFeatures, 'feature')}
            </PageLink>
          </Row>
        )}
      </List>
      <Outlet />
    </Page>
  );
}

export function EditLifetime() {
  const { id } = useParams({ from: '/shell/configure/feature-toggle-type/edit/$id' });
  const { types } = useSuspenseQuery(read('GET /api/admin/feature-types', {})).data;
  const type = types.find((each) => each.id === id);
  if (!type) return <MissingDialog message={notFound('Feature type', id)} />;
  return <LifetimeForm key={id} type={type} />;
}

const setLifetime = (id: string, lifetimeDays: number | null) =>
  api('PUT /api/admin/feature-types/:id/lifetime', { params: { id }, body: { lifetimeDays } });

const reads = ['GET /api/admin/feature-types', 'GET /api/admin/projects'] as const;

/** For a type that had no lifetime. */
const usualDays = 40;

function LifetimeForm({ type }: { readonly type: FeatureType }) {
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/feature-toggle-type', search: true });
  const refusal = useRefusal('ADMIN');
  const saving = useSaveForm({
    initialValues: {
      isPermanent: type.lifetimeDays === null,
      lifetimeDays: (type.lifetimeDays ?? usualDays) as number | string,
    },
    schema: featureTypeContract.setLifetime.body,
    bodyOf: ({ isPermanent, lifetimeDays }) => ({
      lifetimeDays: isPermanent || lifetimeDays === '' ? null : Number(lifetimeDays),
    }),
    send: (body) => setLifetime(type.id, body.lifetimeDays),
    refreshes: reads,
    onSaved: ({ lifetimeDays }) => {
      close();
      tellDone({
        id: `lifetime ${type.id}`,
        title:
          lifetimeDays === null
            ? `${type.name} features are now permanent`
            : `${type.name} lifetime set to ${plural(lifetimeDays, 'day')}`,
        undo: async () => {
          await setLifetime(type.id, type.lifetimeDays);
          await invalidate(...reads);
        },
      });
    },
  });
  const { form } = saving;
  const { isPermanent, lifetimeDays } = form.values;
  const lifetime = isPermanent ? null : Number(lifetimeDays);
  const isReady = lifetime === null || (Number.isInteger(lifetime) && lifetime > 0);
  return (
    <FormDialog
      title={`Edit ${type.name} lifetime`}
      action="Save"
      refusal={refusal}
      isReady={isReady}
      sending={saving}
      onClose={close}
    >
      <Text size="sm" className="quiet">
        {type.description}
      </Text>
      <Switch
        label="Permanent"
        description="Never becomes potentially stale"
        {...form.getInputProps('isPermanent', { type: 'checkbox' })}
      />
      {!isPermanent && (
        <NumberInput
          label="Expected lifetime (days)"
          min={1}
          max={100_000}
          allowDecimal={false}
          data-autofocus
          {...form.getInputProps('lifetimeDays')}
        />
      )}
      {isReady && type.usedInFeatures > 0 && (
        <Text size="sm">
          Applies immediately to {plural(type.usedInFeatures, 'existing feature')}.
        </Text>
      )}
    </FormDialog>
  );
}
