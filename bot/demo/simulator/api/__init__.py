"""The REST API and GraphQL: one file a kind of resource, as in GitHub's documentation."""
