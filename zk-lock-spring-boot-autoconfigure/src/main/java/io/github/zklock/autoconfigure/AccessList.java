package io.github.zklock.autoconfigure;

import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/**
 * The access list of the nodes of locks, from {@code zk.lock.acl}. Its messages contain no identity, because an
 * identity may include the hash of a password.
 */
final class AccessList implements ACLProvider {

    private static final String PROPERTY = "zk.lock.acl";
    private static final String LETTERS = "cdrwa";
    private static final int[] PERMISSIONS = {Perms.CREATE, Perms.DELETE, Perms.READ, Perms.WRITE, Perms.ADMIN};

    /** The permissions that a process needs to acquire locks. */
    private static final int NEEDED = Perms.CREATE | Perms.DELETE | Perms.READ | Perms.WRITE;

    private static final int SHA1_BYTES = 20;

    private final List<ACL> entries;

    private AccessList(List<ACL> entries) {
        // not List.copyOf: the client calls contains(null), for which that list throws
        this.entries = Collections.unmodifiableList(new ArrayList<>(entries));
    }

    static AccessList parse(List<String> texts) {
        if (texts.isEmpty()) {
            throw refused(
                    PROPERTY, "is empty", "use open, creator-all, read-for-world or entries, or remove the property");
        }
        List<ACL> all = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            all.addAll(entries(
                    texts.size() == 1 ? PROPERTY : PROPERTY + "[" + i + "]",
                    texts.get(i).trim()));
        }
        if (all.containsAll(Ids.OPEN_ACL_UNSAFE) && all.size() > 1) {
            throw refused(
                    PROPERTY,
                    "contains open and other entries, so that it limits nothing",
                    "remove open or the others");
        }
        if (all.stream().noneMatch(entry -> (entry.getPerms() & NEEDED) == NEEDED)) {
            throw refused(
                    PROPERTY,
                    "grants no identity all of create, delete, read and write, so that no client could acquire a lock",
                    "give one entry the letters cdrw");
        }
        return new AccessList(all);
    }

    /** Returns whether the servers reject nodes of a client that has no identity. */
    boolean needsIdentity() {
        return entries.stream().anyMatch(entry -> entry.getId().getScheme().equals("auth"));
    }

    @Override
    public List<ACL> getDefaultAcl() {
        return entries;
    }

    @Override
    public List<ACL> getAclForPath(String path) {
        return entries;
    }

    private static List<ACL> entries(String property, String text) {
        return switch (text.toLowerCase(Locale.ROOT).replace('_', '-')) {
            case "open" -> Ids.OPEN_ACL_UNSAFE;
            case "creator-all" -> Ids.CREATOR_ALL_ACL;
            case "read-for-world" -> {
                List<ACL> both = new ArrayList<>(Ids.CREATOR_ALL_ACL);
                both.addAll(Ids.READ_ACL_UNSAFE);
                yield both;
            }
            default -> List.of(entry(property, text));
        };
    }

    private static ACL entry(String property, String text) {
        int first = text.indexOf(':');
        int last = text.lastIndexOf(':');
        if (first < 1 || first == last) {
            throw refused(
                    property,
                    "is not an entry of the form scheme:id:permissions",
                    "use open, creator-all, read-for-world, or for example digest:alice:hash:cdrwa");
        }
        String scheme = text.substring(0, first);
        String id = text.substring(first + 1, last);
        checkId(property, scheme, id);
        return new ACL(permissions(property, text.substring(last + 1)), new Id(scheme, id));
    }

    private static void checkId(String property, String scheme, String id) {
        switch (scheme) {
            case "world" -> {
                if (!id.equals("anyone")) {
                    throw refused(property, "has the scheme world without the id anyone", "use world:anyone:r");
                }
            }
            case "auth" -> {
                if (!id.isEmpty()) {
                    throw refused(
                            property, "has the scheme auth with an id, but this scheme has no id", "use auth::cdrwa");
                }
            }
            case "digest" -> {
                int colon = id.indexOf(':');
                if (colon < 1 || !isHash(id.substring(colon + 1))) {
                    throw refused(
                            property,
                            "has the scheme digest without the hash of a password, so that no client would match it",
                            "use digest:user:hash:cdrwa with the Base64 of the SHA-1 of user:password");
                }
            }
            default -> {
                if (id.isBlank()) {
                    throw refused(
                            property, "has the scheme " + scheme + " without an id", "use " + scheme + ":id:cdrwa");
                }
            }
        }
    }

    private static boolean isHash(String text) {
        try {
            return Base64.getDecoder().decode(text).length >= SHA1_BYTES;
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    private static int permissions(String property, String letters) {
        int permissions = 0;
        for (int i = 0; i < letters.length(); i++) {
            char letter = letters.charAt(i);
            int index = LETTERS.indexOf(letter);
            if (index < 0) {
                throw refused(
                        property,
                        "has the permission '" + letter + "', which does not exist",
                        "use the letters c (create), d (delete), r (read), w (write), a (administer)");
            }
            permissions |= PERMISSIONS[index];
        }
        if (permissions == 0) {
            throw refused(property, "grants no permission", "end it with one or more of the letters cdrwa");
        }
        return permissions;
    }

    private static InvalidZkLockPropertyException refused(String property, String fact, String remedy) {
        return new InvalidZkLockPropertyException(property, fact, remedy);
    }
}
