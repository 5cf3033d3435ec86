data "unleash_project" "shop" {
  id = unleash_project.shop.id
}

data "unleash_environment" "staging" {
  name = unleash_environment.staging.name
  type = unleash_environment.staging.type
}

data "unleash_project_environment" "production" {
  project_id       = unleash_project_environment.production.project_id
  environment_name = unleash_project_environment.production.environment_name
}

data "unleash_permission" "update_project" {
  name = "UPDATE_PROJECT"
}

data "unleash_permission" "switch" {
  name        = "UPDATE_FEATURE_ENVIRONMENT"
  environment = "development"
}

data "unleash_user" "ada" {
  id = unleash_user.ada.id
}

data "unleash_group" "team" {
  id = unleash_group.team.id
}

data "unleash_context_field" "plan" {
  name = unleash_context_field.plan.name
}

output "read" {
  value = {
    project     = data.unleash_project.shop.name
    environment = data.unleash_environment.staging.type
    permission  = data.unleash_permission.update_project.name
    user        = data.unleash_user.ada.email
    group       = data.unleash_group.team.name
    context     = data.unleash_context_field.plan.name
    guarded     = data.unleash_project_environment.production.change_requests_enabled
  }
}
