package io.github.zklock.faults.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;

/** Runs short system commands. */
final class SystemCommand {

    private SystemCommand() {}

    /**
     * Returns the output of a command.
     *
     * @throws IllegalStateException if the command fails
     */
    static String run(String... words) {
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException(
                        "'%s' ended with %d: %s".formatted(String.join(" ", words), code, output.strip()));
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("'" + String.join(" ", words) + "' was interrupted", e);
        }
    }
}
