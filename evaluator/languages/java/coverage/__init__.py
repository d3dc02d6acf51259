"""Coverage of methods by JaCoCo, which counts as other tools' reports do."""
