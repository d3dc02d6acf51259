"""Tables and figures over evaluations of Tests4J and its datasets, in the thesis's shapes."""
