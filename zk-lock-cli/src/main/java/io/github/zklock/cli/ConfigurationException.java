package io.github.zklock.cli;

/** The connection is not configured, or a property is wrong. */
final class ConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ConfigurationException(String message) {
        super(message);
    }
}
