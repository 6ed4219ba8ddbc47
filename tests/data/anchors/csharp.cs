using System;
namespace Acme.Notes
{
    /// <summary>Saves notes.</summary>
    [Serializable]
    public sealed partial class Store<T> : Base where T : class
    {
        public const int Limit = 8;
        private string path;
        /// Writes one.
        [Pure]
        public bool Save(Note note)
        {
            int local = 1;
            int Inner() => local;
            return true;
        }
        public bool Save(int x) => true;
        public int Size { get; set; }
        public Store(string path) { }
        public event Action Changed;
    }
    public interface IShape
    {
        double Area();
    }
    public struct Point
    {
        public int X;
    }
    public record Person(string Name);
    public enum Color
    {
        Red,
    }
    public delegate void Handler(int a);
}
