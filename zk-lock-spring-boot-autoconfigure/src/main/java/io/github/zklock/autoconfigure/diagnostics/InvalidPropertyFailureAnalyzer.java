package io.github.zklock.autoconfigure.diagnostics;

import io.github.zklock.autoconfigure.InvalidZkLockPropertyException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Explains a start that failed because of invalid property values. */
@Order(BeforeGeneralOnes.ORDER)
final class InvalidPropertyFailureAnalyzer extends AbstractFailureAnalyzer<InvalidZkLockPropertyException> {

    private final Environment environment;

    InvalidPropertyFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidZkLockPropertyException cause) {
        return Mistakes.analyze(
                cause,
                InvalidZkLockPropertyException.class,
                mistake -> mistake.property() + " " + mistake.fact() + origin(mistake.property()),
                InvalidZkLockPropertyException::remedy);
    }

    /** Returns where the property is set, such as a line of a file; nothing if that is unknown. */
    private String origin(String property) {
        ConfigurationPropertyName name = ConfigurationPropertyName.ofIfValid(property);
        if (name != null) {
            for (var source : ConfigurationPropertySources.get(environment)) {
                ConfigurationProperty value = source.getConfigurationProperty(name);
                Origin origin = value == null ? null : value.getOrigin();
                if (origin != null) {
                    return " (set by " + origin + ")";
                }
            }
        }
        return "";
    }
}
