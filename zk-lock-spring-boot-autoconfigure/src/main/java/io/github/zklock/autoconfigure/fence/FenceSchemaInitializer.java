package io.github.zklock.autoconfigure.fence;

import io.github.zklock.fence.JdbcFence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.Resource;

/** Creates the fence table of one data source by the script for its database, under the configured name. */
final class FenceSchemaInitializer extends DataSourceScriptDatabaseInitializer {

    private static final String SCRIPT = "classpath:io/github/zklock/fence/schema-@@platform@@.sql";

    private final String table;

    FenceSchemaInitializer(DataSource dataSource, ZkLockFenceProperties properties) {
        super(dataSource, settings(dataSource, properties));
        this.table = properties.table();
    }

    private static DatabaseInitializationSettings settings(DataSource dataSource, ZkLockFenceProperties properties) {
        DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
        settings.setMode(properties.initializeSchema());
        // the scripts for Oracle and SQL Server fail if the table exists
        settings.setContinueOnError(true);
        if (properties.initializeSchema() != DatabaseInitializationMode.NEVER) {
            settings.setSchemaLocations(new PlatformPlaceholderDatabaseDriverResolver().resolveAll(dataSource, SCRIPT));
        }
        return settings;
    }

    /** Creates the table, unless the mode excludes this database. */
    void initialize() {
        setResourceLoader(new DefaultResourceLoader(FenceSchemaInitializer.class.getClassLoader()));
        initializeDatabase();
    }

    @Override
    protected void runScripts(Scripts scripts) {
        List<Resource> renamed = new ArrayList<>();
        for (Resource script : scripts) {
            try {
                String text = script.getContentAsString(StandardCharsets.UTF_8);
                renamed.add(new ByteArrayResource(
                        text.replace("constraint " + JdbcFence.TABLE + "_pk ", "")
                                .replace(JdbcFence.TABLE, table)
                                .getBytes(StandardCharsets.UTF_8),
                        script.getDescription()));
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
        super.runScripts(new Scripts(renamed)
                .continueOnError(scripts.isContinueOnError())
                .separator(scripts.getSeparator())
                .encoding(StandardCharsets.UTF_8));
    }
}
