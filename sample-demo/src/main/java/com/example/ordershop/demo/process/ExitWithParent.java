package com.example.ordershop.demo.process;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * Runs another main class, and halts this process at the end of its input. The parent process writes nothing to this input.
 * The operating system closes it when the parent ends, even if the parent was killed.
 */
final class ExitWithParent {

    private ExitWithParent() {}

    /**
     * Runs the main class.
     *
     * @param arguments the main class, and its arguments
     */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        Thread watch = new Thread(ExitWithParent::endWithInput, "exit-with-parent");
        watch.setDaemon(true);
        watch.start();
        String[] rest = Arrays.copyOfRange(arguments, 1, arguments.length);
        try {
            Method main = Class.forName(arguments[0]).getMethod("main", String[].class);
            // the class may be package-private, as for the java command
            main.setAccessible(true);
            main.invoke(null, (Object) rest);
        } catch (InvocationTargetException failed) {
            failed.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                // ignore it
            }
        } catch (IOException broken) {
            // same as the end of the input
        }
        // without shutdown hooks: they could wait for servers that have ended with the parent
        Runtime.getRuntime().halt(0);
    }
}
