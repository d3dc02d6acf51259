package fixgate.cover;

import fixgate.Specification;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jacoco.core.analysis.IMethodCoverage;
import org.objectweb.asm.Type;

/** A method by its name and the erased types of its parameters, without packages. */
final class Signature {
    private final String name;
    private final List<String> parameters;

    private Signature(String name, List<String> parameters) {
        this.name = name;
        this.parameters = parameters;
    }

    static Signature of(Specification method) {
        List<String> parameters = new ArrayList<>();
        for (String each : method.texts("parameters")) {
            parameters.add(simple(each.replace("...", "[]")));
        }
        return new Signature(method.text("name"), parameters);
    }

    /**
     * The method of this signature; else the only one of this name with as many parameters, since
     * a source does not always show what a type parameter is erased to. Null where there is none.
     */
    IMethodCoverage among(Collection<IMethodCoverage> methods) {
        List<IMethodCoverage> similar = new ArrayList<>();
        for (IMethodCoverage each : methods) {
            List<String> types = types(each.getDesc());
            if (each.getName().equals(name) && types.size() == parameters.size()) {
                if (types.equals(parameters)) {
                    return each;
                }
                similar.add(each);
            }
        }
        return similar.size() == 1 ? similar.get(0) : null;
    }

    private static List<String> types(String descriptor) {
        List<String> found = new ArrayList<>();
        for (Type each : Type.getArgumentTypes(descriptor)) {
            found.add(simple(each.getClassName()));
        }
        return found;
    }

    private static String simple(String type) {
        return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
    }
}
