package com.example.ordershop.demo;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The class path of this JVM, for JVMs that start in other folders. */
final class ClassPath {

    static final String OWN = Arrays.stream(
                    System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(entry -> Path.of(entry).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator));

    private ClassPath() {}
}
