package com.example.ordershop.demo;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs another main class until the end of this process's input. Nobody writes to it: it ends when the process that has
 * started this one is gone, even if that was killed and could not say so.
 */
final class Leash {

    private Leash() {}

    /**
     * Runs it.
     *
     * @param arguments the main class, and its arguments
     */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        Thread leash = new Thread(Leash::endWithInput, "leash");
        leash.setDaemon(true);
        leash.start();
        String[] rest = Arrays.copyOfRange(arguments, 1, arguments.length);
        try {
            Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) rest);
        } catch (InvocationTargetException failed) {
            failed.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                // nobody writes
            }
        } catch (IOException broken) {
            // the same as its end
        }
        // without hooks: what they would say good-bye to may be gone already, and they would wait for it
        Runtime.getRuntime().halt(0);
    }
}
