# Whom the edge limits. Sluice writes this file, and undoes what others change in it.
sub sluice_look_up {
}
